#pragma once

#include <cstdint>

#include <safety/access.h>

namespace barscope::safety {

// A load over PCIe takes microseconds; tens of milliseconds are a completion timeout.
inline constexpr std::uint64_t slow_load_ns = 10'000'000;

inline void set_time(Word& word, std::uint64_t ns) {
    word.nanoseconds = static_cast<std::uint32_t>(ns < UINT32_MAX ? ns : UINT32_MAX);
    if (ns >= slow_load_ns) {
        word.flags |= slow;
    }
}

} // namespace barscope::safety
