#include <device/machine.h>

#include <array>
#include <cstdlib>

#include <linux/capability.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <device/files.h>
#include <device/inventory.h>
#include <device/pci_names.h>

namespace barscope::tool {

namespace {

using safety::SystemRoot;

bool has_capability(unsigned number) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    if (::syscall(SYS_capget, &header, data.data()) != 0) {
        return false;
    }
    return (data.at(number / 32).effective >> (number % 32) & 1U) != 0;
}

MachineFact privilege() {
    const uid_t user = ::geteuid();
    std::string seen = "effective user id " + std::to_string(user);
    seen += has_capability(CAP_SYS_ADMIN) ? ", CAP_SYS_ADMIN" : ", no CAP_SYS_ADMIN";
    seen += has_capability(CAP_DAC_OVERRIDE) ? ", CAP_DAC_OVERRIDE" : ", no CAP_DAC_OVERRIDE";
    if (user == 0) {
        return {"privilege", Finding::good, seen, "root may open resourceN"};
    }
    return {"privilege", Finding::obstacle, seen,
            "resourceN belongs to root (mode 0600), and beyond its first 64 bytes configuration space reads "
            "for root only"};
}

MachineFact lockdown(const SystemRoot& root) {
    const std::string path = root.path("/sys/kernel/security/lockdown");
    const auto state = read_attribute(path);
    if (!state) {
        return {"lockdown", Finding::note, "not known: " + path + " cannot be read",
                "securityfs is not mounted, or the kernel has no lockdown"};
    }
    if (lockdown_refusal(root)) {
        return {"lockdown", Finding::obstacle, *state + " in " + path,
                "BARs cannot be mapped; configuration space and, where a map says so, the driver's own dump "
                "can be read"};
    }
    return {"lockdown", Finding::good, *state + " in " + path, {}};
}

// A configuration file's line "CONFIG_X=y"; nothing where the file cannot be read.
std::optional<bool> kernel_option(const std::string& path, const std::string& option) {
    const auto content = read_user_file(path, std::size_t{1} << 24);
    if (!content) {
        return std::nullopt;
    }
    return ("\n" + *content).find("\n" + option + "=y\n") != std::string::npos;
}

MachineFact strict_devmem(const SystemRoot& root) {
    utsname running{};
    const std::string release =
        read_attribute(root.path("/proc/sys/kernel/osrelease"))
            .value_or(::uname(&running) == 0 ? std::string(running.release) : std::string());
    const std::string path = root.path("/boot/config-" + release);
    const auto strict = kernel_option(path, "CONFIG_IO_STRICT_DEVMEM");
    const std::string command_line = read_attribute(root.path("/proc/cmdline")).value_or("");
    const bool relaxed = (" " + command_line + " ").find(" iomem=relaxed ") != std::string::npos;
    if (!strict) {
        return {"strict devmem", Finding::note, "not known: " + path + " cannot be read",
                "zgrep IO_STRICT_DEVMEM /proc/config.gz may tell"};
    }
    if (!*strict) {
        return {"strict devmem", Finding::good, "CONFIG_IO_STRICT_DEVMEM is off in " + path, {}};
    }
    if (relaxed) {
        return {"strict devmem", Finding::good, "CONFIG_IO_STRICT_DEVMEM is on, iomem=relaxed lifts it", {}};
    }
    return {"strict devmem", Finding::obstacle, "CONFIG_IO_STRICT_DEVMEM is on in " + path,
            "the kernel refuses to map a BAR that a driver has claimed; in a lab, booting with iomem=relaxed "
            "lifts it"};
}

MachineFact sysfs(const SystemRoot& root) {
    const std::string path = root.path("/sys/bus/pci/devices");
    struct statvfs mount {};
    if (::statvfs(path.c_str(), &mount) != 0) {
        return {"sysfs", Finding::obstacle, path + " is not there", "no PCI device can be found"};
    }
    const std::size_t devices = list_directory(path).size();
    const bool read_only = (mount.f_flag & ST_RDONLY) != 0;
    return {"sysfs", Finding::good, std::to_string(devices) + " PCI functions in " + path,
            read_only ? "mounted read-only, which is enough" : ""};
}

MachineFact selinux(const SystemRoot& root) {
    const std::string path = root.path("/sys/fs/selinux/enforce");
    const auto state = read_attribute(path);
    if (!state) {
        return {"SELinux", Finding::good, "not in use", {}};
    }
    if (*state == "1") {
        return {"SELinux", Finding::note, "enforcing (" + path + ")",
                "where it refuses a mapping, its audit log names lockdown_reason=\"direct PCI access\""};
    }
    return {"SELinux", Finding::good, "permissive (" + path + ")", {}};
}

MachineFact names(const SystemRoot& root) {
    const std::string path = PciNames::list_path(root);
    if (path.empty()) {
        return {"pci.ids", Finding::note, "not found",
                "devices are shown by their ids only; package pci.ids has the names"};
    }
    return {"pci.ids", Finding::good, path, {}};
}

MachineFact helper(const SystemRoot& root, const std::string& program) {
    for (const char* folder : {"/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"}) {
        const std::string path = root.path(folder + program);
        if (::access(path.c_str(), X_OK) == 0) {
            return {program, Finding::good, path + " (optional; not run)", {}};
        }
    }
    return {program, Finding::note, "not found (optional)", {}};
}

} // namespace

std::vector<MachineFact> examine_machine(const SystemRoot& root) {
    std::vector<MachineFact> facts{privilege(), lockdown(root), strict_devmem(root),
                                   sysfs(root), selinux(root),  names(root)};
    for (const char* program : {"ethtool", "devlink", "rdma"}) {
        facts.push_back(helper(root, program));
    }
    return facts;
}

} // namespace barscope::tool
