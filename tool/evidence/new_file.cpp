#include <evidence/new_file.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

Error not_written(const std::string& path, const std::string& what, int error) {
    const bool full = error == ENOSPC || error == EDQUOT;
    return {.code = ErrorCode::output,
            .cause = full ? "no-space" : "output-failed",
            .what = what + ": " + errno_text(error),
            .where = path,
            .remedy = full ? "free some space or name another folder; nothing was left behind"
                           : "name a file in a folder that may be written; nothing was left behind"};
}

// Removes the temporary file unless it was renamed.
class Temporary {
  public:
    explicit Temporary(const std::string& path) : path_(path + ".XXXXXX") {
        fd_ = ::mkostemp(path_.data(), O_CLOEXEC);
        error_ = fd_ < 0 ? errno : 0;
    }
    ~Temporary() {
        if (fd_ >= 0) {
            ::close(fd_);
            if (!kept_) {
                ::unlink(path_.c_str());
            }
        }
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    int error() const { return error_; }
    int fd() const { return fd_; }
    const std::string& path() const { return path_; }
    void keep() { kept_ = true; }

  private:
    std::string path_;
    int fd_ = -1, error_ = 0;
    bool kept_ = false;
};

int write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

// The name is on the disk only when its folder is.
void sync_folder(const std::string& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        ::fsync(fd);
        ::close(fd);
    }
}

Error exists_already(const std::string& path) {
    return {.code = ErrorCode::output,
            .cause = "file-exists",
            .what =
                "the file exists and is not overwritten: the first snapshot after a failure is the one that "
                "matters",
            .where = path,
            .remedy = "name another file, or add --force"};
}

} // namespace

Result<void> check_new_file(const std::string& path, const NewFileOptions& options) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return fail(not_written(path, "a folder stands in the file's place", EISDIR));
        }
        if (!S_ISREG(status.st_mode)) {
            return fail(not_written(path, "something other than a regular file stands there", EEXIST));
        }
        if (!options.replace) {
            return fail(exists_already(path));
        }
    }
    const std::string folder = folder_of(path);
    if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        return fail(not_written(path, "its folder cannot be written", errno));
    }
    return {};
}

Result<void> write_new_file(const std::string& path, std::string_view bytes, const NewFileOptions& options) {
    return make_new_file(path, options, [&](int fd) -> Result<void> {
        const int error = write_all(fd, bytes);
        return error == 0 ? Result<void>() : fail(not_written(path, "it could not be written", error));
    });
}

Result<void> make_new_file(const std::string& path, const NewFileOptions& options,
                           const std::function<Result<void>(int fd)>& write) {
    if (auto possible = check_new_file(path, options); !possible) {
        return possible;
    }
    Temporary file(path);
    if (file.error() != 0) {
        return fail(not_written(path, "a file beside it cannot be made", file.error()));
    }
    if (auto written = write(file.fd()); !written) {
        return written;
    }
    // mkostemp makes files that only their owner reads, which suits what a snapshot holds.
    if (::fsync(file.fd()) != 0) {
        return fail(not_written(path, "it could not be brought to the disk", errno));
    }
    const unsigned flags = options.replace ? 0U : static_cast<unsigned>(RENAME_NOREPLACE);
    int renamed = ::renameat2(AT_FDCWD, file.path().c_str(), AT_FDCWD, path.c_str(), flags);
    if (renamed != 0 && errno == EINVAL && flags != 0) { // a file system that knows no such flag
        renamed = ::link(file.path().c_str(), path.c_str());
        if (renamed == 0) {
            ::unlink(file.path().c_str());
        }
    }
    if (renamed != 0) {
        return fail(errno == EEXIST ? exists_already(path)
                                    : not_written(path, "it could not be given its name", errno));
    }
    file.keep();
    sync_folder(folder_of(path));
    return {};
}

} // namespace barscope::tool
