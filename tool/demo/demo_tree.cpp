#include <demo/demo_tree.h>

#include <string_view>

#include <fmt/format.h>

#include <demo/demo_activity.h>
#include <demo/demo_config.h>
#include <demo/tree_writer.h>

namespace barscope::tool {

namespace {

constexpr const char* marker = "barscope-demo";

struct Attribute {
    const char* name;
    const char* value;
};

// A function as sysfs lays it out: the folder below /sys/devices, and links to it from /sys/bus and
// /sys/class.
struct Function {
    const char* address;
    const char* folder; // below /sys
    const char* driver;
};

void write_attributes(TreeWriter& tree, const std::string& folder, std::span<const Attribute> attributes) {
    for (const Attribute& attribute : attributes) {
        tree.text(fmt::format("{}/{}", folder, attribute.name), fmt::format("{}\n", attribute.value));
    }
}

// "../" as often as it takes from a path below /sys to /sys itself.
std::string up_from(std::string_view path) {
    std::string up;
    for (const char c : path) {
        if (c == '/') {
            up += "../";
        }
    }
    return up;
}

void write_links(TreeWriter& tree, const Function& function) {
    const std::string folder = fmt::format("sys/{}", function.folder);
    const std::string to_sys = up_from(fmt::format("{}/x", function.folder));
    tree.link(folder + "/subsystem", to_sys + "bus/pci");
    tree.link(folder + "/driver", fmt::format("{}bus/pci/drivers/{}", to_sys, function.driver));
    tree.link(fmt::format("sys/bus/pci/drivers/{}/{}", function.driver, function.address),
              fmt::format("../../../../{}", function.folder));
    tree.link(fmt::format("sys/bus/pci/devices/{}", function.address),
              fmt::format("../../../{}", function.folder));
}

// One name of the function: a folder below it, and /sys/class/CLASS/NAME.
void write_name(TreeWriter& tree, const Function& function, const char* device_class, const char* name,
                std::span<const Attribute> attributes) {
    const std::string place = fmt::format("{}/{}/{}", function.folder, device_class, name);
    write_attributes(tree, "sys/" + place, attributes);
    tree.link(fmt::format("sys/{}/device", place), fmt::format("../../../{}", function.address));
    tree.link(fmt::format("sys/class/{}/{}", device_class, name), fmt::format("../../{}", place));
}

struct Row {
    std::uint64_t start, end, flags;
};

// The 13 rows of `resource`: BARs 0 to 5, the ROM, and what a function that is not a bridge lacks.
std::string resource_rows(std::span<const Row> rows) {
    constexpr std::size_t count = 13;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        const Row row = i < rows.size() ? rows[i] : Row{};
        text += fmt::format("0x{:016x} 0x{:016x} 0x{:016x}\n", row.start, row.end, row.flags);
    }
    return text;
}

void write_nic(TreeWriter& tree, DemoState state) {
    constexpr Function nic{"0000:3b:00.0", "devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0", "bnxt_en"};
    constexpr Attribute attributes[] = {
        {"vendor", "0x14e4"},
        {"device", "0x1750"},
        {"subsystem_vendor", "0x14e4"},
        {"subsystem_device", "0x5045"},
        {"class", "0x020000"},
        {"revision", "0x11"},
        {"irq", "58"},
        {"enable", "1"},
        {"numa_node", "0"},
        {"power_state", "D0"},
        {"power/runtime_status", "active"},
        {"power/control", "on"},
        {"current_link_speed", "16.0 GT/s PCIe"},
        {"current_link_width", "8"},
        {"max_link_speed", "16.0 GT/s PCIe"},
        {"max_link_width", "16"},
    };
    // Flags: memory, 64-bit, prefetchable (linux/ioport.h), and the low bits of the BAR.
    constexpr std::uint64_t flags = 0x14220c;
    constexpr Row rows[] = {
        {0x380001010000, 0x38000101ffff, flags}, {}, {0x380000000000, 0x380000ffffff, flags}, {},
        {0x380001020000, 0x380001027fff, flags}, {}, {0xb3b40000, 0xb3b7ffff, 0x46200},
    };
    // What the driver left behind: the head of its last request, the windows it set, and the firmware's
    // words.
    // Firmware status: 0x8000 is ready; above it the firmware has failed, and bit 17 says that it can be
    // recovered.
    const std::uint64_t status = state == DemoState::fault ? 0x00028001 : 0x00008000;
    const Datum registers[] = {
        {0x000, 0xffff0017ffff000c, 8},
        {0x008, 0x0000000145678000, 8}, // HWRM request 0xc, ERROR_RECOVERY_QCFG, number 0x17, no ring
        {0x408, 0x03100000, 4},         // window 3: health page
        {0x520, status, 4},
        {0x31f0, 0x48435301, 4}, // signature of the status structure
        {0x31f4, 0x031001f9, 4}, // status word: GRC 0x031001f8
        {0x31f8, status, 4},
        {0x31fc, 0x0000a3d1, 4}, // status, heartbeat
    };
    const std::string folder = fmt::format("sys/{}", nic.folder);
    write_attributes(tree, folder, attributes);
    tree.text(folder + "/resource", resource_rows(rows));
    tree.bytes(folder + "/config", demo_nic_config());
    tree.memory(folder + "/resource0", 0x10000, registers);
    tree.memory(folder + "/resource2", 0x1000000, {});
    tree.memory(folder + "/resource4", 0x8000, {});
    write_links(tree, nic);
    constexpr Attribute interface[] = {{"address", "00:00:01:00:00:02"},
                                       {"operstate", "up"},
                                       {"carrier", "1"},
                                       {"mtu", "1500"},
                                       {"speed", "100000"},
                                       {"carrier_down_count", "1"},
                                       {"statistics/rx_missed_errors", "0"},
                                       {"statistics/rx_dropped", "12"},
                                       {"statistics/tx_dropped", "0"},
                                       {"statistics/rx_crc_errors", "0"}};
    write_name(tree, nic, "net", "ens1f0np0", interface);
    constexpr Attribute rdma[] = {{"node_type", "1: CA"}, {"node_guid", "0200:01ff:fe00:0002"}};
    write_name(tree, nic, "infiniband", "bnxt_re0", rdma);
    write_demo_activity(tree, folder, state);
}

void write_nvme(TreeWriter& tree) {
    constexpr Function nvme{"0000:01:00.0", "devices/pci0000:00/0000:00:01.0/0000:01:00.0", "nvme"};
    constexpr Attribute attributes[] = {
        {"vendor", "0x1b36"},
        {"device", "0x0010"},
        {"subsystem_vendor", "0x1af4"},
        {"subsystem_device", "0x1100"},
        {"class", "0x010802"},
        {"revision", "0x02"},
        {"irq", "16"},
        {"enable", "1"},
        {"numa_node", "0"},
        {"power_state", "D0"},
        {"power/runtime_status", "active"},
        {"power/control", "on"},
        {"current_link_speed", "8.0 GT/s PCIe"},
        {"current_link_width", "4"},
        {"max_link_speed", "8.0 GT/s PCIe"},
        {"max_link_width", "4"},
    };
    constexpr Row rows[] = {{0xa1200000, 0xa1203fff, 0x140204}};
    // NVM Express Base Specification 1.4, section 3.1.
    constexpr Datum registers[] = {
        {0x00, 0x00400020280107ff,
         8}, // CAP: 2048 entries, contiguous queues, 20 s, NVM commands, pages of 4 to 64 KiB
        {0x08, 0x00010400, 4},         // VS: 1.4.0
        {0x14, 0x00460001, 4},         // CC: enabled, entries of 64 and 16 bytes
        {0x1c, 0x00000001, 4},         // CSTS: ready
        {0x24, 0x001f001f, 4},         // AQA: admin queues of 32 entries
        {0x28, 0x0000000123450000, 8}, // ASQ
        {0x30, 0x0000000123454000, 8}, // ACQ
    };
    const std::string folder = fmt::format("sys/{}", nvme.folder);
    write_attributes(tree, folder, attributes);
    tree.text(folder + "/resource", resource_rows(rows));
    tree.bytes(folder + "/config", demo_nvme_config());
    tree.memory(folder + "/resource0", 0x4000, registers);
    write_links(tree, nvme);
    constexpr Attribute controller[] = {{"model", "Simulated NVMe controller"},
                                        {"serial", "DEMO0001"},
                                        {"firmware_rev", "1.0"},
                                        {"state", "live"}};
    write_name(tree, nvme, "nvme", "nvme0", controller);
}

void write_machine(TreeWriter& tree) {
    tree.text("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
    tree.text("proc/sys/kernel/osrelease", "6.1.0-demo\n");
    tree.text("proc/version", "Linux version 6.1.0-demo (a simulated machine)\n");
    tree.text("proc/sys/kernel/hostname", "demo-server\n");
    tree.text("proc/sys/kernel/random/boot_id", "2f1c4f0e-6b1e-4c51-9d42-7a1c5d0e8b11\n");
    tree.text("etc/os-release", "PRETTY_NAME=\"A simulated machine\"\n");
    tree.text("proc/cmdline", "root=/dev/nvme0n1p1 ro iomem=relaxed\n");
    tree.text("proc/self/status", "Name:\tbarscope\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n");
    tree.text("usr/share/misc/pci.ids",
              "14e4  Broadcom Inc. and subsidiaries\n"
              "\t1750  BCM57508 NetXtreme-E 10Gb/25Gb/40Gb/50Gb/100Gb/200Gb Ethernet\n"
              "1b36  Red Hat, Inc.\n"
              "\t0010  QEMU NVM Express Controller\n"
              "C 01  Mass storage controller\n"
              "\t08  Non-Volatile memory controller\n"
              "\t\t02  NVM Express\n"
              "C 02  Network controller\n"
              "\t00  Ethernet controller\n");
}

} // namespace

Result<void> write_demo_tree(const std::string& dir, DemoState state) {
    TreeWriter tree(dir, marker);
    write_machine(tree);
    write_nic(tree, state);
    write_nvme(tree);
    return tree.result();
}

} // namespace barscope::tool
