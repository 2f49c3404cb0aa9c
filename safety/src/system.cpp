#include "system.h"

#include <cerrno>
#include <ctime>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace barscope::safety {

static_assert(sizeof(off_t) == 8, "a BAR may be larger than 4 GiB: build with _FILE_OFFSET_BITS=64");

namespace {

std::uint64_t read_clock(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace

int System::open(const char* path, int flags, mode_t mode) {
    return ::open(path, flags, mode);
}

int System::fstat(int fd, struct stat& status) {
    return ::fstat(fd, &status);
}

bool System::on_sysfs(int fd) {
    struct statfs status {};
    return ::fstatfs(fd, &status) == 0 && status.f_type == SYSFS_MAGIC;
}

void* System::mmap(std::size_t length, int protection, int flags, int fd, off_t offset) {
    return ::mmap(nullptr, length, protection, flags, fd, offset);
}

int System::munmap(void* address, std::size_t length) {
    return ::munmap(address, length);
}

ssize_t System::write(int fd, const void* data, std::size_t size) {
    return ::write(fd, data, size);
}

int System::fsync(int fd) {
    return ::fsync(fd);
}

int System::socket(int domain, int type, int protocol) {
    return ::socket(domain, type, protocol);
}

int System::ioctl(int fd, unsigned long request, void* argument) {
    return ::ioctl(fd, request, argument);
}

std::uint64_t System::page_size() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t System::monotonic_ns() {
    return read_clock(CLOCK_MONOTONIC);
}

std::uint64_t System::realtime_ns() {
    return read_clock(CLOCK_REALTIME);
}

std::uint64_t System::thread_cpu_ns() {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void System::sleep_ns(std::uint64_t duration) {
    timespec left{};
    left.tv_sec = static_cast<time_t>(duration / 1'000'000'000U);
    left.tv_nsec = static_cast<long>(duration % 1'000'000'000U);
    while (::clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
    }
}

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

UniqueFd::~UniqueFd() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

} // namespace barscope::safety
