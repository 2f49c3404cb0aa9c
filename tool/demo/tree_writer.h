// Writes files, folders and symbolic links below one folder without ever leaving it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <safety/error.h>

namespace barscope::tool {

// A little-endian value of `bytes` bytes at `offset`.
struct Datum {
    std::uint64_t offset = 0;
    std::uint64_t value = 0;
    unsigned bytes = 4;
};

// The first failure is kept and everything after it is skipped, so that callers list files without a check
// after each.
class TreeWriter {
  public:
    // Creates the folder. One that is not empty must hold a file called `marker`.
    TreeWriter(const std::string& dir, const std::string& marker);
    ~TreeWriter();
    TreeWriter(const TreeWriter&) = delete;
    TreeWriter& operator=(const TreeWriter&) = delete;

    // Paths are relative to the folder; missing folders on the way are created.
    void text(std::string_view path, std::string_view content);
    void bytes(std::string_view path, std::span<const std::uint8_t> content);
    // A file of `size` bytes, zero but for the data; sparse.
    void memory(std::string_view path, std::uint64_t size, std::span<const Datum> data);
    void link(std::string_view path, const std::string& target);
    void folder(std::string_view path);

    Result<void> result() const;

  private:
    int open_folder(std::string_view path);
    int open_file(std::string_view path);
    void write(int fd, std::string_view path, const void* from, std::size_t size, std::uint64_t offset);
    void failed(std::string_view action, std::string_view path);

    std::string dir_;
    int root_ = -1;
    bool failed_ = false;
    Error error_;
};

} // namespace barscope::tool
