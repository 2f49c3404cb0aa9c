// Small text helpers that every part of the module shares. Locale plays no part in any of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace barscope::safety {

// One to sixteen hexadecimal digits and nothing else.
std::optional<std::uint64_t> parse_hex(std::string_view digits);
// The same after an obligatory "0x".
std::optional<std::uint64_t> parse_0x(std::string_view text);

std::string_view trimmed(std::string_view text);
std::string_view base_name(std::string_view path);

struct FileText {
    int error = 0; // errno; EFBIG above 64 KiB, EISDIR or ENOTSUP where it is no regular file
    std::string text;
};

// A sysfs or procfs attribute. Never blocks on a pipe that stands in a file's place.
FileText read_small_file(const std::string& path);

// "EPERM", or "errno 4711" for one that has no name here.
std::string errno_name(int error);

} // namespace barscope::safety
