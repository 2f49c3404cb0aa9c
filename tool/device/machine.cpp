#include <device/machine.h>

#include <array>
#include <memory>

#include <linux/capability.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

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

struct GzipCloser {
    void operator()(gzFile file) const { gzclose(file); }
};

// The text of a file, compressed by gzip or not.
std::optional<std::string> read_gzip(const std::string& path) {
    const auto fd = open_regular(path);
    if (!fd) {
        return std::nullopt;
    }
    const std::unique_ptr<gzFile_s, GzipCloser> file(gzdopen(*fd, "r"));
    if (file == nullptr) {
        ::close(*fd);
        return std::nullopt;
    }
    constexpr std::size_t most = std::size_t{1} << 24;
    std::string text;
    std::array<char, 65536> piece{};
    int got = 0;
    while ((got = gzread(file.get(), piece.data(), static_cast<unsigned>(piece.size()))) > 0 &&
           text.size() < most) {
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return got < 0 ? std::nullopt : std::optional<std::string>(std::move(text));
}

struct KernelConfig {
    std::string path, text;
};

// Where distributions put the running kernel's configuration.
std::optional<KernelConfig> kernel_config(const SystemRoot& root) {
    utsname running{};
    const std::string release =
        read_attribute(root.path("/proc/sys/kernel/osrelease"))
            .value_or(::uname(&running) == 0 ? std::string(running.release) : std::string());
    for (const std::string& place :
         {"/boot/config-" + release, "/lib/modules/" + release + "/config", std::string("/proc/config.gz")}) {
        const std::string path = root.path(place);
        if (auto text = read_gzip(path)) {
            return KernelConfig{path, std::move(*text)};
        }
    }
    return std::nullopt;
}

MachineFact strict_devmem(const SystemRoot& root) {
    const auto config = kernel_config(root);
    const std::string command_line = read_attribute(root.path("/proc/cmdline")).value_or("");
    const bool relaxed = (" " + command_line + " ").find(" iomem=relaxed ") != std::string::npos;
    if (!config) {
        return {"strict devmem", Finding::note,
                "not known: the kernel's configuration is in none of the usual places",
                "where it has IO_STRICT_DEVMEM, a BAR that a driver has claimed cannot be mapped"};
    }
    if (("\n" + config->text).find("\nCONFIG_IO_STRICT_DEVMEM=y\n") == std::string::npos) {
        return {"strict devmem", Finding::good, "CONFIG_IO_STRICT_DEVMEM is off in " + config->path, {}};
    }
    if (relaxed) {
        return {"strict devmem", Finding::good, "CONFIG_IO_STRICT_DEVMEM is on, iomem=relaxed lifts it", {}};
    }
    return {"strict devmem", Finding::obstacle, "CONFIG_IO_STRICT_DEVMEM is on in " + config->path,
            "the kernel refuses to map a BAR that a driver has claimed; in a lab, booting with iomem=relaxed "
            "lifts "
            "it"};
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
