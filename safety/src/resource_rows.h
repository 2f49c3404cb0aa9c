// The rows of sysfs `resource`: the only source of a BAR's place and size.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <safety/gate.h>

namespace barscope::safety {

// linux/ioport.h
inline constexpr std::uint64_t resource_io = 0x100;
inline constexpr std::uint64_t resource_mem = 0x200;
inline constexpr std::uint64_t resource_prefetch = 0x2000;
inline constexpr std::uint64_t resource_mem_64 = 0x100000;
inline constexpr std::uint64_t resource_disabled = 0x10000000;
inline constexpr std::uint64_t resource_unset = 0x20000000;

// `path` names the file in errors, with the line.
Result<std::array<Bar, 6>> parse_resource_rows(std::string_view text, const std::string& path);

} // namespace barscope::safety
