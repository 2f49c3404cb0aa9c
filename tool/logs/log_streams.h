// Where a log's bytes come from: files, pipes, the kernel's ring, and files that grow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <fwlog/coredump.h>
#include <fwlog/rows.h>

namespace barscope::tool {

// A file descriptor that closes itself.
class OpenFile {
  public:
    explicit OpenFile(int fd = -1) : fd_(fd) {}
    ~OpenFile();
    OpenFile(OpenFile&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
    OpenFile& operator=(OpenFile&& other) noexcept;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    int fd() const { return fd_; }

  private:
    int fd_;
};

// A regular file, read from `begin` up to `end` (0: wherever it ends).
class FileStream final : public fwlog::ByteStream {
  public:
    FileStream(int fd, std::string path, std::uint64_t end = 0)
        : fd_(fd), path_(std::move(path)), end_(end) {}
    Result<std::size_t> read(std::span<char> out) override;
    std::uint64_t at() const { return at_; }

  private:
    int fd_;
    std::string path_;
    std::uint64_t at_ = 0, end_;
};

// A pipe: what was read before, then the rest.
class PipeStream final : public fwlog::ByteStream {
  public:
    PipeStream(int fd, std::string begun) : fd_(fd), begun_(std::move(begun)) {}
    Result<std::size_t> read(std::span<char> out) override;

  private:
    int fd_;
    std::string begun_;
    std::size_t given_ = 0;
};

class LogFile final : public fwlog::ByteFile {
  public:
    LogFile(int fd, std::uint64_t size, std::string path) : fd_(fd), size_(size), path_(std::move(path)) {}
    std::uint64_t size() const override { return size_; }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override;

  private:
    int fd_;
    std::uint64_t size_;
    std::string path_;
};

// All that the kernel's ring holds, as the records of /dev/kmsg or of a copy of it. Overrun while it is read
// is no error: the sequence numbers tell what was lost.
Result<std::string> read_kmsg(const std::string& path);

// Follows a file through growth, truncation and rotation, or the kernel's ring. read() waits for more.
class FollowStream final : public fwlog::ByteStream {
  public:
    struct Hooks {
        std::function<void()> idle;                     // before waiting: show what there is
        std::function<void(const std::string&)> notice; // the file was rotated, truncated, is gone, is back
        std::function<bool(int milliseconds)> wait;     // true: stop
    };
    FollowStream(std::string path, bool kernel_ring, Hooks hooks);
    Result<std::size_t> read(std::span<char> out) override;
    bool at_row_end() const override { return at_row_end_; }

  private:
    bool reopen();
    std::size_t take(std::span<char> out);
    bool look_for_change();

    std::string path_;
    bool kernel_ring_;
    Hooks hooks_;
    OpenFile file_;
    std::uint64_t at_ = 0;
    bool gone_ = false, line_open_ = false, break_line_ = false, at_row_end_ = false;
};

} // namespace barscope::tool
