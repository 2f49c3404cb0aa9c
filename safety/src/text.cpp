#include "text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "system.h"

namespace barscope::safety {

std::optional<std::uint64_t> parse_hex(std::string_view digits) {
    if (digits.empty() || digits.size() > 16) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
    if (error != std::errc{} || stop != end) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::uint64_t> parse_0x(std::string_view text) {
    if (!text.starts_with("0x") && !text.starts_with("0X")) {
        return std::nullopt;
    }
    return parse_hex(text.substr(2));
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view base_name(std::string_view path) {
    while (path.ends_with('/')) {
        path.remove_suffix(1);
    }
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

FileText read_small_file(const std::string& path) {
    constexpr std::size_t limit = 65536;
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd) {
        return {errno, {}};
    }
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) {
        return {errno, {}};
    }
    if (!S_ISREG(status.st_mode)) {
        return {S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP, {}};
    }
    FileText result;
    std::array<char, 4096> chunk{};
    for (;;) {
        const ssize_t got = ::read(fd.get(), chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return {errno, {}};
        }
        if (got == 0) {
            return result;
        }
        result.text.append(chunk.data(), static_cast<std::size_t>(got));
        if (result.text.size() > limit) {
            return {EFBIG, {}};
        }
    }
}

std::string errno_name(int error) {
    struct Named {
        int value;
        std::string_view name;
    };
    static constexpr std::array names{Named{EPERM, "EPERM"},
                                      Named{ENOENT, "ENOENT"},
                                      Named{EIO, "EIO"},
                                      Named{ENXIO, "ENXIO"},
                                      Named{EAGAIN, "EAGAIN"},
                                      Named{ENOMEM, "ENOMEM"},
                                      Named{EACCES, "EACCES"},
                                      Named{EBUSY, "EBUSY"},
                                      Named{EEXIST, "EEXIST"},
                                      Named{ENODEV, "ENODEV"},
                                      Named{ENOTDIR, "ENOTDIR"},
                                      Named{EISDIR, "EISDIR"},
                                      Named{EINVAL, "EINVAL"},
                                      Named{ENFILE, "ENFILE"},
                                      Named{EMFILE, "EMFILE"},
                                      Named{EFBIG, "EFBIG"},
                                      Named{ENOSPC, "ENOSPC"},
                                      Named{EROFS, "EROFS"},
                                      Named{ENOSYS, "ENOSYS"},
                                      Named{ELOOP, "ELOOP"},
                                      Named{ENAMETOOLONG, "ENAMETOOLONG"},
                                      Named{EOVERFLOW, "EOVERFLOW"},
                                      Named{EOPNOTSUPP, "EOPNOTSUPP"},
                                      Named{ETIMEDOUT, "ETIMEDOUT"},
                                      Named{EINTR, "EINTR"},
                                      Named{EFAULT, "EFAULT"},
                                      Named{ENETDOWN, "ENETDOWN"},
                                      Named{EDQUOT, "EDQUOT"},
                                      Named{ESTALE, "ESTALE"},
                                      Named{EBADF, "EBADF"},
                                      Named{ENOTTY, "ENOTTY"},
                                      Named{EAFNOSUPPORT, "EAFNOSUPPORT"}};
    const auto* found =
        std::find_if(names.begin(), names.end(), [&](const Named& n) { return n.value == error; });
    return found != names.end() ? std::string(found->name) : fmt::format("errno {}", error);
}

} // namespace barscope::safety
