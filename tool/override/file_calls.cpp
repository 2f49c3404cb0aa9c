#include <override/file_calls.h>

#include <cerrno>
#include <ctime>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/vfs.h>

namespace barscope::tool {

int FileCalls::openat(int folder, const char* name, int flags, mode_t mode) {
    return ::openat(folder, name, flags, mode);
}

int FileCalls::fstat(int fd, struct stat& status) {
    return ::fstat(fd, &status);
}

long FileCalls::file_system(int fd) {
    struct statfs status {};
    return ::fstatfs(fd, &status) == 0 ? static_cast<long>(status.f_type) : 0;
}

ssize_t FileCalls::pread(int fd, void* data, std::size_t size, off_t offset) {
    return ::pread(fd, data, size, offset);
}

ssize_t FileCalls::write(int fd, const void* data, std::size_t size) {
    return ::write(fd, data, size);
}

int FileCalls::fsync(int fd) {
    return ::fsync(fd);
}

int FileCalls::lock(int fd) {
    constexpr int tries = 500;
    constexpr timespec pause{0, 10'000'000};
    for (int i = 0; i < tries; ++i) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0) {
            return 0;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return -1;
        }
        ::nanosleep(&pause, nullptr);
    }
    errno = EWOULDBLOCK;
    return -1;
}

int FileCalls::unlock(int fd) {
    return ::flock(fd, LOCK_UN);
}

std::uint64_t FileCalls::realtime_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace barscope::tool
