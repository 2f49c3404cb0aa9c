#include "ethtool_dump.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/socket.h>

#include <fmt/format.h>

#include "text.h"

namespace barscope::safety {
namespace {

constexpr std::uint32_t largest_dump = 64U << 20U;

Error explain(std::string_view step, const std::string& interface, int error) {
    const std::string failed = fmt::format("{}: {}", step, errno_name(error));
    switch (error) {
    case EOPNOTSUPP:
        return {ErrorCode::absent, "dump-unsupported", failed + ": the driver has no register dump",
                interface, ""};
    case EPERM:
    case EACCES:
        return {ErrorCode::permission, "privilege", failed + ": not permitted to this process", interface,
                "run as root with CAP_NET_ADMIN"};
    case ENODEV:
        return {ErrorCode::absent, "interface-absent", failed + ": there is no such network interface",
                interface, ""};
    default:
        return {ErrorCode::absent, "dump-failed", failed, interface, "the kernel log may say more"};
    }
}

class Ethtool {
  public:
    Ethtool(System& system, int fd, const std::string& interface)
        : system_(system), fd_(fd), interface_(interface) {}

    Result<void> call(std::string_view step, void* command) {
        ifreq request{};
        interface_.copy(static_cast<char*>(request.ifr_name), IFNAMSIZ - 1);
        request.ifr_data = static_cast<char*>(command);
        if (system_.ioctl(fd_, SIOCETHTOOL, &request) != 0) {
            return fail(explain(step, interface_, errno));
        }
        return {};
    }

  private:
    System& system_;
    int fd_;
    const std::string& interface_;
};

std::string driver_name(const ethtool_drvinfo& info) {
    const auto* name = static_cast<const char*>(info.driver);
    return {name, ::strnlen(name, sizeof info.driver)};
}

Result<void> check_name(const std::string& interface) {
    const bool legal = !interface.empty() && interface.size() < IFNAMSIZ &&
                       interface.find('/') == std::string::npos && interface.find('\0') == std::string::npos;
    if (!legal) {
        return fail({ErrorCode::usage, "bad-interface",
                     fmt::format("'{}' cannot be a network interface", interface), "", ""});
    }
    return {};
}

Result<EthtoolDump> dump(Ethtool& ethtool, const std::string& interface) {
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    if (const Result<void> done = ethtool.call("ETHTOOL_GDRVINFO", &info); !done) {
        return fail(done.error());
    }
    if (info.regdump_len == 0) {
        return fail(explain("ETHTOOL_GREGS", interface, EOPNOTSUPP));
    }
    if (info.regdump_len > largest_dump) {
        return fail({ErrorCode::bad_input, "dump-too-large",
                     fmt::format("driver {} announces a dump of {} bytes; at most {} are taken",
                                 driver_name(info), info.regdump_len, largest_dump),
                     interface, ""});
    }
    std::vector<std::uint8_t> buffer(sizeof(ethtool_regs) + info.regdump_len);
    ethtool_regs header{};
    header.cmd = ETHTOOL_GREGS;
    header.len = info.regdump_len;
    std::memcpy(buffer.data(), &header, sizeof header);
    if (const Result<void> done = ethtool.call("ETHTOOL_GREGS", buffer.data()); !done) {
        return fail(done.error());
    }
    std::memcpy(&header, buffer.data(), sizeof header);
    EthtoolDump result;
    result.driver = driver_name(info);
    result.version = header.version;
    const std::uint32_t length = std::min(header.len, info.regdump_len);
    buffer.erase(buffer.begin(), buffer.begin() + sizeof header);
    buffer.resize(length);
    result.bytes = std::move(buffer);
    return result;
}

} // namespace

Result<void> may_ask_for_dump(const std::string& interface, bool side_effect_free) {
    if (Result<void> named = check_name(interface); !named) {
        return named;
    }
    if (!side_effect_free) {
        return fail(
            {ErrorCode::refused, "dump-side-effect",
             "the driver's dump may change the device: the map does not say that it is free of side effects",
             interface, ""});
    }
    return {};
}

Result<EthtoolDump> read_ethtool_dump_with(System& system, const std::string& interface,
                                           bool side_effect_free) {
    if (const Result<void> allowed = may_ask_for_dump(interface, side_effect_free); !allowed) {
        return fail(allowed.error());
    }
    const UniqueFd fd(system.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!fd) {
        return fail(explain("socket", interface, errno));
    }
    Ethtool ethtool(system, fd.get(), interface);
    return dump(ethtool, interface);
}

} // namespace barscope::safety
