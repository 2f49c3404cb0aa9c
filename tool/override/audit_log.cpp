#include <override/audit_log.h>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <linux/magic.h>

#include <device/files.h>
#include <override/safe_folder.h>

namespace barscope::tool {

namespace {

constexpr const char* untouched = "; nothing was written to the device";

Error unfit(std::string what, const std::string& path, const std::string& remedy) {
    return {.code = ErrorCode::output,
            .cause = "audit-log",
            .what = "audit log: " + std::move(what),
            .where = path,
            .remedy = remedy + untouched};
}

// Files of these show what the kernel or a device makes of a write, and keep nothing.
bool keeps_nothing(long type) {
    constexpr long configfs_magic = 0x62656570;
    return type == SYSFS_MAGIC || type == PROC_SUPER_MAGIC || type == DEBUGFS_MAGIC ||
           type == configfs_magic || type == TRACEFS_MAGIC || type == SECURITYFS_MAGIC;
}

// A copied or simulated machine has its BARs as plain files.
bool looks_like_a_devices(const std::string& path) {
    const std::size_t at = path.rfind("/devices/");
    return at != std::string::npos && path.rfind("/sys/", at) != std::string::npos;
}

Result<void> check_file(FileCalls& calls, int fd, const std::string& path) {
    struct stat status {};
    if (calls.fstat(fd, status) != 0) {
        return fail(unfit("fstat: " + errno_text(errno), path, "the kernel log may say more"));
    }
    if (!S_ISREG(status.st_mode) || keeps_nothing(calls.file_system(fd))) {
        return fail(unfit("not a regular file on a disk", path, "name another with --audit-log"));
    }
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return fail(unfit("others may write to it, so that it proves nothing", path,
                          "take that right away (chmod go-w), or name another with --audit-log"));
    }
    if (status.st_uid != ::geteuid() && status.st_uid != 0) {
        return fail(unfit("it belongs to somebody else", path, "name another with --audit-log"));
    }
    return {};
}

// The lock is for one line only.
class Lock {
  public:
    Lock(FileCalls& calls, int fd) : calls_(calls), fd_(fd), held_(calls.lock(fd) == 0) {}
    ~Lock() {
        if (held_) {
            calls_.unlock(fd_);
        }
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    bool held() const { return held_; }

  private:
    FileCalls& calls_;
    int fd_;
    bool held_;
};

struct Tail {
    bool torn = false;         // the last line has no end
    std::uint64_t last_id = 0; // the greatest of all
};

// Ids rise with the lines of intents, so that the last one that can be read has the greatest.
std::uint64_t last_id_in(std::string_view text, bool from_the_beginning) {
    while (!text.empty()) {
        const std::size_t newline = text.rfind('\n');
        if (newline == std::string_view::npos && !from_the_beginning) {
            return 0; // its beginning was not read
        }
        const std::string_view line = text.substr(newline == std::string_view::npos ? 0 : newline + 1);
        const auto entry = parse_audit_line(line);
        if (entry && entry->phase == AuditPhase::intent) {
            return entry->id;
        }
        text = text.substr(0, newline == std::string_view::npos ? 0 : newline);
    }
    return 0;
}

// errno is set where nothing is returned.
std::optional<Tail> read_tail(FileCalls& calls, int fd) {
    struct stat status {};
    if (calls.fstat(fd, status) != 0) {
        return std::nullopt;
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    Tail tail;
    for (std::size_t length = std::min<std::size_t>(size, 65536); length != 0;
         length = std::min(size, length * 4)) {
        std::string text(length, '\0');
        const ssize_t got = calls.pread(fd, text.data(), length, static_cast<off_t>(size - length));
        if (got != static_cast<ssize_t>(length)) {
            errno = got < 0 ? errno : EIO;
            return std::nullopt;
        }
        tail.torn = text.back() != '\n';
        tail.last_id = last_id_in(text, length == size);
        if (tail.last_id != 0 || length == size) {
            break;
        }
    }
    return tail;
}

// 0, or the errno.
int write_all(FileCalls& calls, int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = calls.write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return written < 0 ? errno : ENOSPC;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

// The name must survive a crash as well as the lines do.
int sync_folder(FileCalls& calls, int folder) {
    const FileHandle real(calls.openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
    if (!real) {
        return errno;
    }
    return calls.fsync(real.get()) == 0 || errno == EINVAL ? 0 : errno; // EINVAL: it cannot sync a folder
}

} // namespace

Result<AuditLog> AuditLog::open(const safety::LabOverride& /*proof*/, const AuditPlace& place,
                                std::shared_ptr<FileCalls> calls) {
    if (looks_like_a_devices(place.path)) {
        return fail(
            unfit("a file in a device's folder is none", place.path, "name another with --audit-log"));
    }
    auto found = open_folder_of(*calls, place.path, place.make_folder);
    if (!found) {
        return fail(std::move(found.error()));
    }
    constexpr int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
    FileHandle file(calls->openat(found->folder.get(), found->name.c_str(), flags, 0600));
    if (!file) {
        const bool link = errno == ELOOP;
        return fail(
            unfit(link ? "it is a symbolic link, which is not followed" : "open: " + errno_text(errno),
                  place.path, "name a file that can be written with --audit-log"));
    }
    if (auto fit = check_file(*calls, file.get(), place.path); !fit) {
        return fail(std::move(fit.error()));
    }
    if (const int error = sync_folder(*calls, found->folder.get()); error != 0) {
        return fail(unfit("its folder cannot be synced: " + errno_text(error), place.path,
                          "name a file on a disk with --audit-log"));
    }
    return AuditLog(std::move(calls), place.path, std::move(file));
}

Error AuditLog::cannot(std::string_view step, int error) const {
    return {.code = ErrorCode::output,
            .cause = "audit-log",
            .what = "audit log: " + std::string(step) + ": " + errno_text(error),
            .where = path_,
            .remedy = "what cannot be noted first is not done"};
}

Result<void> AuditLog::append(AuditEntry& entry, bool fresh_id) {
    const Lock lock(*calls_, file_.get());
    if (!lock.held()) {
        return fail(cannot("lock", errno));
    }
    const auto tail = read_tail(*calls_, file_.get());
    if (!tail) {
        return fail(cannot("read", errno));
    }
    if (fresh_id) {
        entry.id = tail->last_id + 1;
        entry.operation = entry.operation == 0 ? entry.id : entry.operation;
    }
    entry.time = audit_time(calls_->realtime_ns());
    const std::string line = (tail->torn ? "\n" : "") + audit_line(entry) + "\n";
    if (const int error = write_all(*calls_, file_.get(), line); error != 0) {
        return fail(cannot("write", error));
    }
    if (calls_->fsync(file_.get()) != 0) {
        return fail(cannot("fsync", errno));
    }
    return {};
}

Result<void> AuditLog::intend(AuditEntry& entry) {
    entry.phase = AuditPhase::intent;
    entry.status = "intended";
    return append(entry, true);
}

Result<void> AuditLog::conclude(AuditEntry& entry) {
    entry.phase = AuditPhase::outcome;
    return append(entry, false);
}

} // namespace barscope::tool
