// A file that appears whole or not at all: written under a temporary name beside it, synced, then renamed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <safety/error.h>

namespace barscope::tool {

struct NewFileOptions {
    bool replace = false; // an existing file may be replaced
};

// Whether the file could be made, told before a device is asked for anything: its folder is there and may be
// written, and nothing stands in its place (unless it may be replaced).
Result<void> check_new_file(const std::string& path, const NewFileOptions& options);

// `write` fills the file.
Result<void> make_new_file(const std::string& path, const NewFileOptions& options,
                           const std::function<Result<void>(int fd)>& write);
Result<void> write_new_file(const std::string& path, std::string_view bytes, const NewFileOptions& options);

} // namespace barscope::tool
