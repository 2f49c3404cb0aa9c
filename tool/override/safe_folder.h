// A file's folder, reached without following a symbolic link that just anybody may have put there.
#pragma once

#include <string>
#include <string_view>

#include <override/file_calls.h>
#include <safety/error.h>

namespace barscope::tool {

struct FileInFolder {
    FileHandle folder;
    std::string name; // the last component
};

// A link within a folder that everybody may write to is refused; other links are the administrator's. With
// `make`, missing folders are made, for their owner alone.
Result<FileInFolder> open_folder_of(FileCalls& calls, const std::string& path, bool make);

} // namespace barscope::tool
