// Sizes and durations as people say them.
#pragma once

#include <cstdint>
#include <string>

namespace barscope::tool {

// "64 KiB", "8 GiB", "128 bytes": exact, in the largest unit that divides it.
void append_size(std::string& out, std::uint64_t bytes);
// "812 ns", "3.4 us", "23 ms", "1.2 s".
void append_duration(std::string& out, std::uint64_t nanoseconds);

} // namespace barscope::tool
