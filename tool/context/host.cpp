#include <context/host.h>

#include <algorithm>
#include <cstdlib>

#include <sys/utsname.h>
#include <unistd.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

// os-release(5): NAME=value or NAME="value".
std::string distribution(const safety::SystemRoot& root) {
    auto text = read_attribute(root.path("/etc/os-release"));
    if (!text) {
        text = read_attribute(root.path("/usr/lib/os-release"));
    }
    const std::string key = "PRETTY_NAME=";
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.starts_with(key)) {
            line.remove_prefix(key.size());
            if (line.size() >= 2 && line.front() == '"' && line.back() == '"') {
                line = line.substr(1, line.size() - 2);
            }
            return std::string(line);
        }
    }
    return {};
}

// Who gave the command: behind sudo the user, not root.
std::string user() {
    const char* behind_sudo = std::getenv("SUDO_USER"); // NOLINT(concurrency-mt-unsafe): one thread
    if (behind_sudo != nullptr && behind_sudo[0] != '\0') {
        return behind_sudo;
    }
    return "uid " + std::to_string(::geteuid());
}

// Of the running kernel; a copied tree has it in /proc.
void add_kernel(Facts& facts, const safety::SystemRoot& root) {
    utsname name{};
    if (root.is_live() && ::uname(&name) == 0) {
        facts.emplace_back("kernel", name.release);
        facts.emplace_back("architecture", name.machine);
        return;
    }
    if (const auto release = read_attribute(root.path("/proc/sys/kernel/osrelease"))) {
        facts.emplace_back("kernel", *release);
    }
}

} // namespace

Facts host_facts(const safety::SystemRoot& root) {
    Facts facts;
    add_kernel(facts, root);
    facts.emplace_back("distribution", distribution(root));
    facts.emplace_back("user", user());
    struct File {
        const char *name, *path;
    };
    for (const File& file :
         {File{"lockdown", "/sys/kernel/security/lockdown"},
          File{"bootId", "/proc/sys/kernel/random/boot_id"}, File{"hostName", "/proc/sys/kernel/hostname"},
          File{"uptime", "/proc/uptime"}, File{"kernelCommandLine", "/proc/cmdline"}}) {
        facts.emplace_back(file.name, read_attribute(root.path(file.path)).value_or(""));
    }
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    std::sort(facts.begin(), facts.end());
    return facts;
}

} // namespace barscope::tool
