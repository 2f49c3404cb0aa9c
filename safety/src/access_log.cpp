#include "access_log.h"

#include <cerrno>
#include <ctime>

#include <fcntl.h>

#include <fmt/format.h>

#include "text.h"

namespace barscope::safety {
namespace {

// "2025-11-30T16:27:01.123456789Z"
std::string utc(std::uint64_t ns) {
    const auto seconds = static_cast<time_t>(ns / 1'000'000'000U);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, ns % 1'000'000'000U);
}

Error cannot(std::string_view step, const std::string& path, int error) {
    return {ErrorCode::output, "access-log", fmt::format("access log: {}: {}", step, errno_name(error)), path,
            ""};
}

class FileAccessLog final : public AccessLog {
  public:
    FileAccessLog(std::shared_ptr<System> system, std::string path, UniqueFd fd)
        : system_(std::move(system)), path_(std::move(path)), fd_(std::move(fd)) {}

    Result<void> intend(const std::string& space, std::uint64_t offset, unsigned width) override {
        const std::string line =
            fmt::format("{} {:#x} {} {}\n", space, offset, width, utc(system_->realtime_ns()));
        std::string_view rest = line;
        while (!rest.empty()) {
            const ssize_t written = system_->write(fd_.get(), rest.data(), rest.size());
            if (written < 0 && errno == EINTR) {
                continue;
            }
            if (written <= 0) {
                return fail(cannot("write", path_, written < 0 ? errno : ENOSPC));
            }
            rest.remove_prefix(static_cast<std::size_t>(written));
        }
        if (system_->fsync(fd_.get()) != 0) {
            return fail(cannot("fsync", path_, errno));
        }
        return {};
    }

  private:
    std::shared_ptr<System> system_;
    std::string path_;
    UniqueFd fd_;
};

// The name must survive the crash as well as the lines do.
Result<void> sync_folder(System& system, const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    const UniqueFd fd(system.open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
    if (!fd) {
        return fail(cannot("open the folder of", path, errno));
    }
    if (system.fsync(fd.get()) != 0 && errno != EINVAL) { // EINVAL: this file system cannot sync a folder
        return fail(cannot("fsync the folder of", path, errno));
    }
    return {};
}

} // namespace

std::string unnoted_load(const Error& error) {
    return "a load that cannot be noted first is not made: " + to_string(error);
}

Result<std::unique_ptr<AccessLog>> create_access_log_with(std::shared_ptr<System> system,
                                                          const std::string& path) {
    // A new file only: an existing one may be a device's (sysfs shows its attributes as regular files).
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;
    UniqueFd fd(system->open(path.c_str(), flags, 0600));
    if (!fd) {
        Error error = cannot("open", path, errno);
        error.remedy = "name a new file in a folder that can be written: an existing one is never opened";
        return fail(std::move(error));
    }
    struct stat status {};
    if (system->fstat(fd.get(), status) != 0) {
        return fail(cannot("fstat", path, errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return fail({ErrorCode::output, "access-log",
                     "access log: not a regular file, so it cannot be synced to disk", path,
                     "name a file on a disk that survives a crash"});
    }
    if (const Result<void> synced = sync_folder(*system, path); !synced) {
        return fail(synced.error());
    }
    return std::make_unique<FileAccessLog>(std::move(system), path, std::move(fd));
}

Result<std::unique_ptr<AccessLog>> AccessLog::create(const std::string& path) {
    return create_access_log_with(std::make_shared<System>(), path);
}

} // namespace barscope::safety
