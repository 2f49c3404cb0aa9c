// The only code that writes to device memory: one store instruction of the declared width. Not inlined, so
// that a test can look at its machine code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace barscope::safety {

template <typename T>
[[gnu::noinline]] void store_once(std::byte* address, T value) {
    *reinterpret_cast<volatile T*>(address) = value;
}

} // namespace barscope::safety
