#include <demo/demo_activity.h>

#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace barscope::tool {

namespace {

struct Counter {
    const char* name;
    std::uint64_t healthy, fault;
};

// Names: Linux Documentation/ABI/testing/sysfs-class-net-statistics;
// drivers/infiniband/hw/bnxt_re/hw_counters.c; Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats.
constexpr Counter statistics[] = {
    {"rx_packets", 481'516'234, 483'200'011},
    {"tx_packets", 477'310'882, 478'951'020},
    {"rx_bytes", 611'223'344'556, 613'300'201'990},
    {"tx_bytes", 590'877'665'544, 592'900'415'127},
    {"rx_errors", 0, 0},
    {"tx_errors", 0, 4},
    {"rx_dropped", 12, 12},
    {"tx_dropped", 0, 1'873},
    {"rx_missed_errors", 12, 12},
};

constexpr Counter rdma_counters[] = {
    {"active_qps", 33, 33},
    {"active_cqs", 36, 36},
    {"to_retransmits", 4, 3'911},
    {"seq_err_naks_rcvd", 18, 18},
    {"max_retry_exceeded", 0, 33},
    {"rnr_naks_rcvd", 101, 101},
    {"tx_pkts", 90'213'554, 90'871'002},
};

constexpr Counter correctable[] = {{"RxErr", 3, 9},    {"BadTLP", 1, 4},  {"BadDLLP", 0, 0},
                                   {"Rollover", 0, 0}, {"Timeout", 0, 2}, {"NonFatalErr", 0, 0}};

constexpr Counter interrupts[] = {{"bnxt_en-ens1f0np0-TxRx-0", 18'220'191, 18'290'444},
                                  {"bnxt_en-ens1f0np0-TxRx-1", 17'991'020, 18'061'377}};
constexpr unsigned first_interrupt = 58;

// /dev/kmsg: priority, sequence number, microseconds since boot, flags; the text.
constexpr std::string_view earlier =
    "6,912,4201377,-;bnxt_en 0000:3b:00.0 ens1f0np0: renamed from eth0\n"
    "6,1033,8130221,-;bnxt_en 0000:3b:00.0 ens1f0np0: NIC Link is Up, 100000 Mbps full duplex, Flow control: "
    "none\n"
    "6,1034,8130224,-;bnxt_en 0000:3b:00.0 ens1f0np0: FEC autoneg off encoding: RS(544,514)\n";
constexpr std::string_view later =
    "3,1035,86411020114,-;bnxt_en 0000:3b:00.0 ens1f0np0: TX timeout detected, starting reset task!\n"
    "6,1036,86411020390,-;bnxt_en 0000:3b:00.0 ens1f0np0: [0]: tx{fw_ring: 6 prod: 1c4 cons: 81}\n"
    "3,1037,86412541872,-;bnxt_en 0000:3b:00.0 ens1f0np0: Error (timeout: 500015) msg {0x23 0x4410} len:0\n"
    "3,1038,86413040011,-;bnxt_en 0000:3b:00.0 ens1f0np0: Firmware not responding, status: 0x28001\n"
    "4,1039,86413049020,-;bnxt_en 0000:3b:00.0 ens1f0np0: NIC Link is Down\n";

void write_counters(TreeWriter& tree, const std::string& folder, std::span<const Counter> counters,
                    DemoState state) {
    for (const Counter& counter : counters) {
        tree.text(folder + "/" + counter.name,
                  fmt::format("{}\n", state == DemoState::fault ? counter.fault : counter.healthy));
    }
}

void write_interrupts(TreeWriter& tree, const std::string& folder, DemoState state) {
    std::string table = "            CPU0       CPU1\n";
    unsigned number = first_interrupt;
    for (const Counter& counter : interrupts) {
        const std::uint64_t count = state == DemoState::fault ? counter.fault : counter.healthy;
        table += fmt::format("{:>4}: {:>10} {:>10}  PCI-MSIX-0000:3b:00.0 {}-edge      {}\n", number,
                             count / 2, count - count / 2, number - first_interrupt, counter.name);
        tree.text(fmt::format("{}/msi_irqs/{}", folder, number), "msix\n");
        ++number;
    }
    tree.text("proc/interrupts", table);
}

} // namespace

void write_demo_activity(TreeWriter& tree, const std::string& folder, DemoState state) {
    write_counters(tree, folder + "/net/ens1f0np0/statistics", statistics, state);
    write_counters(tree, folder + "/infiniband/bnxt_re0/ports/1/hw_counters", rdma_counters, state);
    std::string aer;
    for (const Counter& counter : correctable) {
        aer +=
            fmt::format("{} {}\n", counter.name, state == DemoState::fault ? counter.fault : counter.healthy);
    }
    tree.text(folder + "/aer_dev_correctable", aer);
    write_interrupts(tree, folder, state);
    tree.text("dev/kmsg", std::string(earlier) + std::string(state == DemoState::fault ? later : ""));
    tree.text("proc/uptime", state == DemoState::fault ? "86460.12 170221.40\n" : "81230.55 160110.02\n");
}

} // namespace barscope::tool
