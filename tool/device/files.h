// Reading files and folders as the system shows them. Nothing here opens a device's BAR or writes anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

// Standard input has no size that could be asked beforehand, and may never end.
inline constexpr std::size_t largest_standard_input = std::size_t{1} << 28;

// A file that the user named: a regular file, or standard input ("-"). Pipes, which may never end, are
// refused, and so are device nodes and anything in sysfs: reading those may read a device behind the guard's
// back.
Result<std::string> read_user_file(const std::string& path, std::size_t limit);

// The same, opened only: a descriptor that the caller closes ("-": standard input's own).
Result<int> open_user_file(const std::string& path);

// A sysfs or procfs attribute without its trailing white space; nothing where it cannot be read, or where
// something else stands in a file's place.
std::optional<std::string> read_attribute(const std::string& path);

// All of a file of sysfs or procfs that may be longer than an attribute, such as /proc/interrupts; nothing
// where it cannot be read or holds more than `limit`.
std::optional<std::string> read_table(const std::string& path, std::size_t limit);

// Opens for reading without waiting for anybody; nothing where it is no regular file. The caller closes it.
std::optional<int> open_regular(const std::string& path);

// Names in a folder, sorted, without "." and ".."; empty where it cannot be read.
std::vector<std::string> list_directory(const std::string& path);

bool exists(const std::string& path);
bool is_regular(const std::string& path);
// The path with all symbolic links resolved; nothing where one dangles.
std::optional<std::string> resolve(const std::string& path);
// The text of a symbolic link, unresolved.
std::optional<std::string> link_text(const std::string& path);

std::string_view last_component(std::string_view path);
// "ENOENT" and the like are what people search for; the text of strerror depends on the locale.
std::string errno_text(int error);

} // namespace barscope::tool
