// The system calls that the audit log depends on, so that a test can make each of them fail. Like them, these
// return -1 and set errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace barscope::tool {

class FileCalls {
  public:
    virtual ~FileCalls() = default;
    virtual int openat(int folder, const char* name, int flags, mode_t mode);
    virtual int fstat(int fd, struct stat& status);
    virtual long file_system(int fd); // statfs's f_type; 0: not known
    virtual ssize_t pread(int fd, void* data, std::size_t size, off_t offset);
    virtual ssize_t write(int fd, const void* data, std::size_t size);
    virtual int fsync(int fd);
    virtual int lock(int fd);   // for itself alone; waits for 5 s at most (errno EWOULDBLOCK)
    virtual int unlock(int fd); // never fails in a way that matters: closing the file does the same
    virtual std::uint64_t realtime_ns();
};

class FileHandle {
  public:
    FileHandle() = default;
    explicit FileHandle(int fd) : fd_(fd) {}
    FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    ~FileHandle() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    explicit operator bool() const { return fd_ >= 0; }
    int get() const { return fd_; }

  private:
    int fd_ = -1;
};

} // namespace barscope::tool
