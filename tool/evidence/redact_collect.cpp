#include <evidence/redact_collect.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

class Collecting {
  public:
    Collecting(const safety::SystemRoot& root, KnownIdentities& known) : root_(root), known_(known) {}

    void run() {
        hosts();
        users();
        // MAC addresses first: they decide what an EUI-64 was made from.
        for_each("/sys/class/net", {"address", "bonding_slave/perm_hwaddr"}, true, IdentityKind::mac);
        addresses_of_rdma();
        addresses_of_network();
        for_each("/sys/class/nvme", {"serial"}, false, IdentityKind::serial);
        for_each("/sys/class/nvme", {"subsysnqn"}, false, IdentityKind::nqn);
        for_each("/sys/block", {"serial", "device/serial", "wwid", "device/wwid"}, false,
                 IdentityKind::serial);
        for_each("/sys/class/fc_host", {"port_name", "node_name"}, false, IdentityKind::guid);
        for (const char* name : {"product_serial", "board_serial", "chassis_serial", "chassis_asset_tag"}) {
            if (const auto value = read(std::string("/sys/class/dmi/id/") + name)) {
                serial(*value);
            }
        }
        for (const char* path :
             {"/sys/class/dmi/id/product_uuid", "/etc/machine-id", "/proc/sys/kernel/random/boot_id"}) {
            if (const auto value = read(path)) {
                known_.add_address(*value);
            }
        }
        command_line();
    }

  private:
    std::optional<std::string> read(const std::string& path) const {
        return read_attribute(root_.path(path));
    }

    void serial(const std::string& value) {
        constexpr std::size_t shortest = 4; // "1", "None": placeholders
        if (value.size() >= shortest) {
            known_.add_name(IdentityKind::serial, value);
        }
    }

    void for_each(const std::string& folder, const std::vector<std::string>& names, bool address,
                  IdentityKind kind) {
        for (const std::string& entry : list_directory(root_.path(folder))) {
            for (const std::string& name : names) {
                const std::string path = fmt::format("{}/{}/{}", folder, entry, name);
                const auto value = read(path);
                if (value && address) {
                    known_.add_address(*value);
                } else if (value && value->size() > 3) {
                    known_.add_name(kind, *value);
                }
            }
        }
    }

    void hosts() {
        utsname name{};
        if (root_.is_live() && ::uname(&name) == 0) {
            known_.add_name(IdentityKind::host, name.nodename);
        }
        for (const char* path : {"/proc/sys/kernel/hostname", "/etc/hostname"}) {
            known_.add_name(IdentityKind::host, read(path).value_or(""));
        }
        domain(read("/proc/sys/kernel/domainname").value_or(""));
        // resolv.conf(5): "search corp.example.com example.com"
        each_line(read("/etc/resolv.conf").value_or(""), [&](const std::vector<std::string>& words) {
            for (std::size_t i = 1; i < words.size() && (words[0] == "search" || words[0] == "domain"); ++i) {
                domain(words[i]);
            }
        });
    }
    void domain(const std::string& name) {
        if (name.find('.') != std::string::npos) { // one label alone is a word
            known_.add_name(IdentityKind::domain, name);
        }
    }

    void users() {
        for (const char* variable : {"SUDO_USER", "USER", "LOGNAME"}) {
            if (const char* value = std::getenv(variable)) { // NOLINT(concurrency-mt-unsafe): one thread
                known_.add_name(IdentityKind::user, value);
            }
        }
        if (const passwd* entry = ::getpwuid(::getuid())) { // NOLINT(concurrency-mt-unsafe): one thread
            known_.add_name(IdentityKind::user, entry->pw_name);
        }
    }

    void addresses_of_rdma() {
        const std::string folder = "/sys/class/infiniband";
        for (const std::string& device : list_directory(root_.path(folder))) {
            std::string base = folder;
            base += "/" + device;
            for (const char* name : {"/node_guid", "/sys_image_guid"}) {
                known_.add_address(read(base + name).value_or(""));
            }
            for (const std::string& port : list_directory(root_.path(base + "/ports"))) {
                std::string gids = base;
                gids += "/ports/" + port + "/gids";
                for (const std::string& gid : list_directory(root_.path(gids))) {
                    std::string path = gids;
                    path += "/" + gid;
                    known_.add_address(read(path).value_or(""));
                }
            }
        }
    }

    template <typename Use>
    static void each_line(std::string_view text, const Use& use) {
        while (!text.empty()) {
            std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            std::vector<std::string> words;
            while (!line.empty()) {
                line.remove_prefix(std::min(line.find_first_not_of(" \t|+-"), line.size()));
                const std::string_view word = line.substr(0, line.find_first_of(" \t"));
                line.remove_prefix(word.size());
                if (!word.empty()) {
                    words.emplace_back(word);
                }
            }
            if (!words.empty()) {
                use(words);
            }
        }
    }

    void addresses_of_network() {
        // Linux net/ipv6/addrconf.c: "fe80...(32 digits) 02 40 20 80 eth0"
        each_line(read("/proc/net/if_inet6").value_or(""),
                  [&](const std::vector<std::string>& words) { known_.add_address(words[0]); });
        // net/ipv4/fib_trie.c: "|-- 192.0.2.10", and below it "/32 host LOCAL"
        std::string last;
        each_line(read("/proc/net/fib_trie").value_or(""), [&](const std::vector<std::string>& words) {
            if (words.size() > 2 && words[0] == "/32" && words[2] == "LOCAL" && ipv4_at(last, 0)) {
                known_.add_name(IdentityKind::ip, last);
            }
            last = words[0];
        });
        // net/ipv4/arp.c: "192.0.2.1 0x1 0x2 02:00:00:00:00:07 * eth0"
        each_line(read("/proc/net/arp").value_or(""), [&](const std::vector<std::string>& words) {
            if (words.size() > 3 && ipv4_at(words[0], 0)) {
                known_.add_name(IdentityKind::ip, words[0]);
                known_.add_address(words[3]);
            }
        });
    }

    // Words of the command line that are not for others, wherever else they stand.
    void command_line() {
        constexpr std::array<std::string_view, 12> kinds{"pass", "pwd",  "secret", "token", "cred", "chap",
                                                         "user", "host", "serial", "uuid",  "luks", "auth"};
        each_line(read("/proc/cmdline").value_or(""), [&](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
                const std::size_t equals = word.find('=');
                const std::string name = lower(word.substr(0, equals));
                const bool secret = equals != std::string::npos && word.size() - equals > 4 &&
                                    std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) {
                                        return name.find(kind) != std::string::npos;
                                    });
                if (secret) {
                    known_.add_name(IdentityKind::command_line, word.substr(equals + 1));
                }
            }
        });
    }

    const safety::SystemRoot& root_;
    KnownIdentities& known_;
};

} // namespace

void collect_identities(const safety::SystemRoot& root, const std::string& root_path,
                        KnownIdentities& known) {
    if (!root_path.empty()) {
        known.add_path(root_path);
        known.add_path(resolve(root_path).value_or(""));
    }
    Collecting(root, known).run();
}

} // namespace barscope::tool
