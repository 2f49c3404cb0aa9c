// Map files in folders and by path.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::regmaps {

// Nothing where there is no such file. Whatever is no regular file is refused: a pipe may never end, and
// opening a device node can have effects of its own.
Result<std::optional<std::string>> read_map_file(const std::string& path);

bool is_map_name(std::string_view name); // lower case letters, digits, dashes
bool is_map_path(std::string_view name_or_path);

// In a folder, the map NAME is the file NAME.json: finding it opens no other.
std::string map_path(const std::string& folder, std::string_view name);
std::string map_name_of(std::string_view path); // "FOLDER/NAME.json" -> "NAME"
std::string folder_of(std::string_view path);   // "." where the path has none

// Adds name -> path for every NAME.json of the folder, over what is there. A missing folder has none.
Result<void> list_folder(const std::string& folder, std::map<std::string, std::string>& paths);

} // namespace barscope::regmaps
