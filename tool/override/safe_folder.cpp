#include <override/safe_folder.h>

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

constexpr int folder_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

Error cannot_reach(const std::string& path, int error) {
    return {.code = ErrorCode::output,
            .cause = "audit-log",
            .what = "audit log: its folder cannot be opened: " + errno_text(error),
            .where = path,
            .remedy = "name a file in a folder that can be written with --audit-log; nothing was written to "
                      "the device"};
}

Error planted_link(const std::string& path) {
    return {.code = ErrorCode::output,
            .cause = "audit-log",
            .what = "audit log: a symbolic link in a folder that everybody may write to is not followed",
            .where = path,
            .remedy = "name the file by a path without it; nothing was written to the device"};
}

bool is_link(int folder, const char* name) {
    struct stat status {};
    return ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

bool writable_by_all(int folder) {
    struct stat status {};
    return ::fstat(folder, &status) == 0 && (status.st_mode & S_IWOTH) != 0;
}

// One step down.
Result<FileHandle> enter(FileCalls& calls, const FileHandle& folder, const std::string& name, bool make,
                         const std::string& path) {
    if (is_link(folder.get(), name.c_str())) {
        if (writable_by_all(folder.get())) {
            return fail(planted_link(path));
        }
        FileHandle behind(calls.openat(folder.get(), name.c_str(), folder_flags, 0));
        return behind ? Result<FileHandle>(std::move(behind)) : fail(cannot_reach(path, errno));
    }
    FileHandle next(calls.openat(folder.get(), name.c_str(), folder_flags | O_NOFOLLOW, 0));
    if (!next && errno == ENOENT && make) {
        if (::mkdirat(folder.get(), name.c_str(), 0700) != 0 && errno != EEXIST) {
            return fail(cannot_reach(path, errno));
        }
        next = FileHandle(calls.openat(folder.get(), name.c_str(), folder_flags | O_NOFOLLOW, 0));
    }
    return next ? Result<FileHandle>(std::move(next)) : fail(cannot_reach(path, errno));
}

} // namespace

Result<FileInFolder> open_folder_of(FileCalls& calls, const std::string& path, bool make) {
    std::string_view rest = path;
    FileHandle folder(calls.openat(AT_FDCWD, rest.starts_with('/') ? "/" : ".", folder_flags, 0));
    if (!folder) {
        return fail(cannot_reach(path, errno));
    }
    while (true) {
        rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
        const std::size_t slash = rest.find('/');
        if (slash == std::string_view::npos) {
            break;
        }
        auto next = enter(calls, folder, std::string(rest.substr(0, slash)), make, path);
        if (!next) {
            return fail(std::move(next.error()));
        }
        folder = std::move(*next);
        rest.remove_prefix(slash);
    }
    if (rest.empty() || rest == "." || rest == "..") {
        return fail(cannot_reach(path, EISDIR));
    }
    return FileInFolder{std::move(folder), std::string(rest)};
}

} // namespace barscope::tool
