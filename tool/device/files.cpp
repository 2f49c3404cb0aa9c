#include <device/files.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <regmaps/prefault.h>

namespace barscope::tool {

namespace {

class FileDescriptor {
  public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    ~FileDescriptor() {
        if (fd_ > STDERR_FILENO) {
            ::close(fd_);
        }
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

Error unreadable(const std::string& path, int error) {
    const bool permission = error == EACCES || error == EPERM;
    return {.code = permission ? ErrorCode::permission : ErrorCode::bad_input,
            .cause = permission ? "file-permission" : "file-unreadable",
            .what = "the file cannot be read: " + errno_text(error),
            .where = path,
            .remedy = permission ? "run as a user who may read it" : "check the path"};
}

Error device_file(const char* what, const std::string& path) {
    return {.code = ErrorCode::refused,
            .cause = "not-a-dump-file",
            .what = what,
            .where = path,
            .remedy = "name the device by its PCI address or interface; the guard reads it"};
}

// Device nodes and sysfs files are how a read of "a file" would become a read of a device.
std::optional<Error> refuse_kind(mode_t mode, const std::string& path) {
    if (S_ISREG(mode)) {
        return std::nullopt;
    }
    if (S_ISDIR(mode)) {
        return unreadable(path, EISDIR);
    }
    if (S_ISCHR(mode) || S_ISBLK(mode)) {
        return device_file("the file is a device node", path);
    }
    return Error{.code = ErrorCode::bad_input,
                 .cause = "not-a-file",
                 .what = "this is no regular file but a pipe or socket, which may never end",
                 .where = path,
                 .remedy = "save its content to a file, or send it to standard input and name that -"};
}

std::optional<Error> refuse_special(int fd, const std::string& path) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) {
        return unreadable(path, errno);
    }
    struct statfs filesystem {};
    if (::fstatfs(fd, &filesystem) == 0 && filesystem.f_type == SYSFS_MAGIC && !S_ISDIR(status.st_mode)) {
        return device_file("the file belongs to a device, not to a dump", path);
    }
    return refuse_kind(status.st_mode, path);
}

int open_at_once(const std::string& path) {
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

Error too_large(const std::string& path, std::size_t limit) {
    return {.code = ErrorCode::bad_input,
            .cause = "file-too-large",
            .what = "the file is larger than " + std::to_string(limit) + " bytes",
            .where = path,
            .remedy = "cut the part of interest out of it"};
}

Result<std::string> read_content(int fd, const std::string& path, std::size_t limit) {
    std::string content;
    std::size_t used = 0;
    // A large file is read into its place at once, rather than copied as the text grows.
    struct stat status {};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 131072) {
        if (static_cast<std::uint64_t>(status.st_size) > limit) {
            return fail(too_large(path, limit));
        }
        const std::size_t expected = static_cast<std::size_t>(status.st_size) + 65536;
        content.reserve(expected);
        regmaps::prefault_huge(content.data(), expected);
        content.resize(expected);
    }
    while (true) {
        if (content.size() - used < 65536) {
            content.resize(std::max<std::size_t>(131072, content.size() * 2));
        }
        const ssize_t got = ::read(fd, content.data() + used, content.size() - used);
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return fail(unreadable(path, errno));
        }
        if (got == 0) {
            break;
        }
        used += static_cast<std::size_t>(got);
        if (used > limit) {
            return fail(too_large(path, limit));
        }
    }
    content.resize(used);
    return content;
}

// A file that is within the limit may still be more than this machine has memory for.
Result<std::string> read_all(int fd, const std::string& path, std::size_t limit) {
    try {
        return read_content(fd, path, limit);
    } catch (const std::bad_alloc&) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "out-of-memory",
                     .what = "the file is larger than the memory that this machine can give",
                     .where = path,
                     .remedy = "cut the part of interest out of it"});
    }
}

} // namespace

Result<int> open_user_file(const std::string& path) {
    if (path == "-") {
        return STDIN_FILENO;
    }
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) {
        // Opening a device node can have effects of its own, so this is asked before the open.
        if (auto refusal = refuse_kind(status.st_mode, path)) {
            return fail(std::move(*refusal));
        }
    }
    const int fd = open_at_once(path);
    if (fd < 0) {
        return fail(unreadable(path, errno));
    }
    if (auto refusal = refuse_special(fd, path)) {
        ::close(fd);
        return fail(std::move(*refusal));
    }
    return fd;
}

Result<std::string> read_user_file(const std::string& path, std::size_t limit) {
    const auto opened = open_user_file(path);
    if (!opened) {
        return fail(opened.error());
    }
    const FileDescriptor file(*opened);
    if (path == "-") {
        return read_all(file.get(), "standard input", std::min(limit, largest_standard_input));
    }
    return read_all(file.get(), path, limit);
}

std::optional<int> open_regular(const std::string& path) {
    if (!is_regular(path)) {
        return std::nullopt;
    }
    const int fd = open_at_once(path);
    struct stat status {};
    if (fd >= 0 && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        return fd;
    }
    if (fd >= 0) {
        ::close(fd);
    }
    return std::nullopt;
}

std::optional<std::string> read_attribute(const std::string& path) {
    const auto fd = open_regular(path);
    if (!fd) {
        return std::nullopt;
    }
    const FileDescriptor file(*fd);
    std::string text(4096, '\0');
    const ssize_t got = ::read(file.get(), text.data(), text.size());
    if (got < 0) {
        return std::nullopt;
    }
    text.resize(static_cast<std::size_t>(got));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\0')) {
        text.pop_back();
    }
    return text;
}

std::optional<std::string> read_table(const std::string& path, std::size_t limit) {
    const auto fd = open_regular(path);
    if (!fd) {
        return std::nullopt;
    }
    const FileDescriptor file(*fd);
    auto text = read_all(file.get(), path, limit);
    return text ? std::optional(std::move(*text)) : std::nullopt;
}

std::vector<std::string> list_directory(const std::string& path) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
    if (folder == nullptr) {
        return names;
    }
    while (const dirent* entry = ::readdir(folder.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            names.emplace_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool exists(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0;
}

bool is_regular(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::optional<std::string> resolve(const std::string& path) {
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
    if (real == nullptr) {
        return std::nullopt;
    }
    return std::string(real.get());
}

std::optional<std::string> link_text(const std::string& path) {
    std::string text(4096, '\0');
    const ssize_t length = ::readlink(path.c_str(), text.data(), text.size());
    if (length < 0) {
        return std::nullopt;
    }
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::string_view last_component(std::string_view path) {
    while (path.size() > 1 && path.back() == '/') {
        path.remove_suffix(1);
    }
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string errno_text(int error) {
    const char* name = ::strerrorname_np(error);
    const char* text = ::strerrordesc_np(error);
    if (name == nullptr || text == nullptr) {
        return "errno " + std::to_string(error);
    }
    return std::string(name) + " (" + text + ")";
}

} // namespace barscope::tool
