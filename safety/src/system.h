// The system calls whose refusals decide what the user is told, in one place, so that a test can make each of
// them fail. The class itself makes the real calls; like them, its functions return -1 (or MAP_FAILED) and
// set errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <sys/stat.h>
#include <sys/types.h>

namespace barscope::safety {

class System {
  public:
    virtual ~System() = default;
    virtual int open(const char* path, int flags, mode_t mode);
    virtual int fstat(int fd, struct stat& status);
    virtual bool
    on_sysfs(int fd); // a mapping of sysfs has no padding after its last byte, a regular file's has
    virtual void* mmap(std::size_t length, int protection, int flags, int fd, off_t offset);
    virtual int munmap(void* address, std::size_t length);
    virtual ssize_t write(int fd, const void* data, std::size_t size);
    virtual int fsync(int fd);
    virtual int socket(int domain, int type, int protocol);
    virtual int ioctl(int fd, unsigned long request, void* argument);
    virtual std::uint64_t page_size();
    virtual std::uint64_t monotonic_ns();
    virtual std::uint64_t realtime_ns();
    virtual std::uint64_t thread_cpu_ns();
    virtual void sleep_ns(std::uint64_t duration);
};

class UniqueFd {
  public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept;
    UniqueFd(const UniqueFd&) = delete;
    UniqueFd& operator=(const UniqueFd&) = delete;
    ~UniqueFd();
    explicit operator bool() const { return fd_ >= 0; }
    int get() const { return fd_; }

  private:
    int fd_ = -1;
};

} // namespace barscope::safety
