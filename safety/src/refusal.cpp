#include "refusal.h"

#include <cerrno>

#include <fmt/format.h>

#include "process_status.h"
#include "text.h"

namespace barscope::safety {
namespace {

std::string_view step_name(SystemCall step) {
    switch (step) {
    case SystemCall::open:
        return "open";
    case SystemCall::fstat:
        return "fstat";
    case SystemCall::mmap:
        return "mmap";
    case SystemCall::pread:
        return "pread";
    case SystemCall::pwrite:
        return "pwrite";
    }
    return "mmap";
}

struct Refusal {
    const DeviceFacts& facts;
    const std::string& path;
    std::string failed; // "mmap: EPERM"
};

Error lockdown(const Refusal& r, const std::string& mode) {
    return {
        ErrorCode::permission, "kernel-lockdown",
        fmt::format("{}: kernel lockdown is at {} and forbids direct access to PCI devices", r.failed, mode),
        r.path,
        "the driver's own dump is not affected (--source ethtool), nor are devlink and the kernel log"};
}

Error exclusive_claim(const Refusal& r, std::string_view tested) {
    return {ErrorCode::permission, "exclusive-claim",
            fmt::format("{}: driver {} holds the BAR for itself alone (IO_STRICT_DEVMEM{})", r.failed,
                        r.facts.driver, tested),
            r.path, "read the driver's own dump (--source ethtool); in a lab, boot with iomem=relaxed"};
}

Error privilege(const SystemRoot& root, const Refusal& r) {
    const bool rawio = has_capability(root, sys_rawio);
    std::string remedy =
        rawio ? "this process has CAP_SYS_RAWIO, so a security module decided"
              : "run as root with CAP_SYS_RAWIO; a container needs to be given that capability";
    if (lockdown_mode(root).empty()) {
        remedy +=
            "; whether kernel lockdown is on is not known (/sys/kernel/security/lockdown cannot be read)";
    }
    if (selinux_enforcing(root)) {
        remedy += "; SELinux is enforcing: see its audit log (ausearch -m avc), where "
                  "lockdown_reason=\"direct PCI access\" may stand";
    }
    return {ErrorCode::permission, "privilege", fmt::format("{}: not permitted to this process", r.failed),
            r.path, remedy};
}

Error without_driver(const Refusal& r) {
    return {ErrorCode::permission, "mmap-refused",
            fmt::format("{}: the kernel refuses to map this BAR, and no driver is bound to it", r.failed),
            r.path, "the kernel log may say more"};
}

// A placeholder such as pci-stub takes no BAR for itself.
bool claims(const DeviceFacts& facts) {
    return owner_of(facts.driver) != Owner::nobody;
}

std::string remedy_of(int error) {
    switch (error) {
    case ENODEV:
    case ENXIO:
    case ENOENT:
    case EIO:
        return "the device may have been removed or reset meanwhile: `barscope list` shows what is there and "
               "the kernel log may say why";
    case EBUSY:
    case EAGAIN:
        return "something else holds the BAR: see which driver is bound (`barscope info`) and try again once "
               "it lets go";
    case ENOMEM:
    case ENFILE:
    case EMFILE:
        return "the machine or this process is short of memory or open files; try again when it is not";
    default:
        return "the kernel log may say more";
    }
}

Error other(const Refusal& r, int error) {
    const bool absent = error == ENODEV || error == ENXIO || error == ENOENT || error == EIO;
    return {absent ? ErrorCode::absent : ErrorCode::permission, absent ? "device-refused" : "kernel-refused",
            fmt::format("{} failed", r.failed), r.path, remedy_of(error)};
}

} // namespace

Error explain_refusal(const SystemRoot& root, const DeviceFacts& facts, const std::string& path,
                      SystemCall step, int error) {
    const Refusal refusal{facts, path, fmt::format("{}: {}", step_name(step), errno_name(error))};
    if (error == EPERM) {
        const std::string mode = lockdown_mode(root);
        if (mode == "integrity" || mode == "confidentiality") {
            return lockdown(refusal, mode);
        }
        // Linux 6.1 was seen to answer an exclusive claim with EPERM. Blamed only where every other cause is
        // ruled out by looking: lockdown known to be off, no security module that enforces, the capability
        // held.
        if (step == SystemCall::mmap && claims(facts) && mode == "none" && !selinux_enforcing(root) &&
            has_capability(root, sys_rawio)) {
            return exclusive_claim(refusal, "; this process has CAP_SYS_RAWIO and no lockdown is in effect");
        }
    }
    if (error == EPERM || error == EACCES) {
        return privilege(root, refusal);
    }
    if (error == EINVAL && step == SystemCall::mmap) {
        return claims(facts) ? exclusive_claim(refusal, "") : without_driver(refusal);
    }
    return other(refusal, error);
}

} // namespace barscope::safety
