#include <logs/log_streams.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

constexpr std::size_t largest_ring = std::size_t{1} << 26;
constexpr std::size_t largest_record = 8192; // of /dev/kmsg: CONSOLE_EXT_LOG_MAX

Error read_error(int error, const std::string& path) {
    return {.code = ErrorCode::bad_input,
            .cause = "file-unreadable",
            .what = "reading stopped: " + errno_text(error),
            .where = path,
            .remedy = "what was read before is shown"};
}

Result<std::size_t> read_once(int fd, std::span<char> out, const std::string& path) {
    while (true) {
        const ssize_t got = ::read(fd, out.data(), out.size());
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            return fail(read_error(errno, path));
        }
    }
}

} // namespace

OpenFile::~OpenFile() {
    if (fd_ > STDERR_FILENO) {
        ::close(fd_);
    }
}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

Result<std::size_t> FileStream::read(std::span<char> out) {
    if (end_ != 0) {
        out = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), end_ - at_)));
    }
    if (out.empty()) {
        return 0;
    }
    while (true) {
        const ssize_t got = ::pread(fd_, out.data(), out.size(), static_cast<off_t>(at_));
        if (got == 0 && end_ != 0) {
            return fail({.code = ErrorCode::bad_input,
                         .cause = "file-shrank",
                         .what = "the file was cut while it was read: it ends at byte " +
                                 std::to_string(at_) + ", and had " + std::to_string(end_),
                         .where = path_,
                         .remedy = "what is shown is not all of what is counted: read a copy"});
        }
        if (got >= 0) {
            at_ += static_cast<std::uint64_t>(got);
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            return fail(read_error(errno, path_));
        }
    }
}

Result<std::size_t> PipeStream::read(std::span<char> out) {
    if (given_ < begun_.size()) {
        const std::size_t count = std::min(out.size(), begun_.size() - given_);
        std::memcpy(out.data(), begun_.data() + given_, count);
        given_ += count;
        return count;
    }
    return read_once(fd_, out, "standard input");
}

Result<std::size_t> LogFile::read_at(std::uint64_t offset, std::span<std::uint8_t> out) {
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t got =
            ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno != EINTR) {
            return fail(read_error(errno, path_));
        }
        if (got == 0) {
            break;
        }
        done += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return done;
}

Result<std::string> read_kmsg(const std::string& path) {
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (file.fd() < 0) {
        const int error = errno;
        const bool permission = error == EPERM || error == EACCES;
        return fail({.code = permission ? ErrorCode::permission : ErrorCode::absent,
                     .cause = permission ? "kernel-log-permission" : "no-kernel-log",
                     .what = "the kernel log cannot be read: " + errno_text(error),
                     .where = path,
                     .remedy = permission
                                   ? "run as root (kernel.dmesg_restrict), or save dmesg's output to a file"
                                   : "save dmesg's output to a file and name that"});
    }
    std::string text;
    std::string piece(std::size_t{1} << 16, '\0');
    while (text.size() + largest_record < largest_ring) {
        const ssize_t got = ::read(file.fd(), piece.data(), piece.size());
        if (got > 0) {
            text.append(piece, 0, static_cast<std::size_t>(got));
        } else if (got == 0 || errno == EAGAIN) {
            return text;
        } else if (errno != EPIPE && errno != EINTR) {
            return fail(read_error(errno, path));
        }
    }
    return text;
}

FollowStream::FollowStream(std::string path, bool kernel_ring, Hooks hooks)
    : path_(std::move(path)), kernel_ring_(kernel_ring), hooks_(std::move(hooks)) {
    gone_ = !reopen();
    if (gone_) {
        hooks_.notice("the file is not there; waiting for it to come");
    }
}

bool FollowStream::reopen() {
    OpenFile opened(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (opened.fd() < 0) {
        return false;
    }
    file_ = std::move(opened);
    at_ = 0;
    break_line_ = line_open_; // a row that the old file did not finish ends here
    return true;
}

std::size_t FollowStream::take(std::span<char> out) {
    if (break_line_) {
        break_line_ = line_open_ = false;
        at_row_end_ = true;
        out[0] = '\n';
        return 1;
    }
    while (file_.fd() >= 0) {
        const ssize_t got = ::read(file_.fd(), out.data(), out.size());
        if (got > 0) {
            const auto count = static_cast<std::size_t>(got);
            at_ += count;
            line_open_ = out[count - 1] != '\n';
            at_row_end_ = !line_open_ && count < out.size();
            return count;
        }
        if (got == 0 || (errno != EPIPE && errno != EINTR)) {
            break; // EPIPE: the ring was overrun; the next record's number tells by how much
        }
    }
    return 0;
}

// True where there is another file, or the same from its start, to read at once.
bool FollowStream::look_for_change() {
    struct stat named {};
    struct stat held {};
    if (kernel_ring_) {
        return false;
    }
    if (::stat(path_.c_str(), &named) != 0) {
        if (!gone_) {
            gone_ = true;
            hooks_.notice("the file is gone; waiting for it to come back");
        }
        return false;
    }
    const bool same = file_.fd() >= 0 && ::fstat(file_.fd(), &held) == 0 && named.st_ino == held.st_ino &&
                      named.st_dev == held.st_dev;
    if (!same) {
        if (!reopen()) {
            return false;
        }
        hooks_.notice(gone_ ? "the file is back" : "the file was replaced by a new one");
        gone_ = false;
        return true;
    }
    if (static_cast<std::uint64_t>(named.st_size) < at_) {
        hooks_.notice("the file was truncated; reading from its start");
        return reopen();
    }
    return false;
}

Result<std::size_t> FollowStream::read(std::span<char> out) {
    while (true) {
        if (const std::size_t got = take(out); got != 0) {
            return got;
        }
        if (look_for_change()) {
            continue;
        }
        hooks_.idle();
        if (hooks_.wait(200)) {
            return take(out); // what came last
        }
    }
}

} // namespace barscope::tool
