#include "samples.h"

#include <fmt/format.h>

namespace samples {

using namespace barscope::tool;
using barscope::regmaps::Volatility;

namespace {

ReportSubject subject(const std::string& file, const std::string& created) {
    ReportSubject subject;
    subject.file = file;
    subject.created = created;
    subject.host = "db-17";
    subject.kernel = "6.1.0-25-amd64";
    subject.address = "0000:3b:00.0";
    subject.ids = "14e4:1750 rev 0x11";
    subject.description = "BCM57508 NetXtreme-E 100Gb";
    subject.driver = "bnxt_en";
    subject.driver_version = "1.10.2";
    subject.firmware = "226.0.145.0/pkg 226.1.107.1";
    subject.map = "bnxt-p5 2.0.0";
    subject.tool = "barscope 0.1.0";
    subject.passes = 2;
    return subject;
}

ReportRegister fw_status(bool difference) {
    ReportRegister reg;
    reg.name = "FW.FW_STATUS";
    reg.space = "bar0";
    reg.group = "health";
    reg.title = "Firmware health status";
    reg.offset = 0x3100;
    reg.before = difference ? "0x00008000" : "";
    reg.after = "0x0001c00d";
    reg.changed_bits = difference ? 0x1400d : 0;
    reg.severity = Severity::critical;
    reg.changed = difference;
    reg.fields = {
        {"", 18, 31, difference ? "0x0" : "", "0x0", Severity::unspecified, false},
        {"RECOVERING", 17, 17, difference ? "0 no" : "", "0 no", Severity::ok, false},
        {"CRASHED_NO_MASTER", 16, 16, difference ? "0 no" : "", "1 yes", Severity::critical, difference},
        {"CODE", 0, 15, difference ? "0x8000 READY" : "", "0xc00d CRASH", Severity::critical, difference}};
    return reg;
}

ReportRegister link_state(bool difference) {
    ReportRegister reg;
    reg.name = "PORT[1].LINK";
    reg.space = "bar0";
    reg.title = "Link of the port";
    reg.offset = 0x3204;
    reg.width = 32;
    reg.before = difference ? "0x00000325" : "";
    reg.after = "0x00000304";
    reg.changed_bits = difference ? 0x21 : 0;
    reg.severity = Severity::warning;
    reg.changed = difference;
    reg.remark = "Cable or partner";
    reg.fields = {{"", 12, 31, difference ? "0x0" : "", "0x0", Severity::unspecified, false},
                  {"SPEED", 8, 11, difference ? "0x3 100G" : "", "0x3 100G", Severity::unspecified, false},
                  {"", 6, 7, difference ? "0x0" : "", "0x0", Severity::unspecified, false},
                  {"AUTONEG", 5, 5, difference ? "1 on" : "", "0 off", Severity::notice, difference},
                  {"DUPLEX", 2, 4, difference ? "0x1 full" : "", "0x1 full", Severity::unspecified, false},
                  {"UP", 0, 1, difference ? "0x1 up" : "", "0x0 down", Severity::warning, difference}};
    return reg;
}

ReportRegister wide(bool difference) {
    ReportRegister reg;
    reg.name = "DMA.ERROR_ADDRESS";
    reg.space = "bar0";
    reg.offset = 0x4008;
    reg.width = 64;
    reg.before = difference ? "0x0000000000000000" : "";
    reg.after = "0x8000001f3a5c0040";
    reg.changed_bits = difference ? 0x8000001f3a5c0040 : 0;
    reg.severity = Severity::notice;
    reg.changed = difference;
    reg.fields = {
        {"VALID", 63, 63, difference ? "0" : "", "1", Severity::notice, difference},
        {"QUEUE", 48, 62, difference ? "0x0" : "", "0x0", Severity::unspecified, false},
        {"ADDRESS", 0, 47, difference ? "0x0" : "", "0x1f3a5c0040", Severity::unspecified, difference}};
    return reg;
}

void add_logs(Report& report) {
    report.log_summary = "4 records: 1 error, 1 warning; 1 gap";
    report.logs = {{"120.004512", 120.004512, "info", "kernel log",
                    "bnxt_en 0000:3b:00.0 ens1f0np0: NIC Link is Up", false, false},
                   {"182.500001", 182.500001, "warning", "kernel log",
                    "bnxt_en 0000:3b:00.0: Firmware heartbeat missed", true, false},
                   {"", 183.1, "", "firmware", "3 records lost after 41", true, true},
                   {"183.250090", 183.25009, "error", "firmware", "DPC 3 halted, code 0xc00d", true, false}};
}

void add_context(Report& report) {
    report.context = {{"ethtool -c: rx-usecs", report.difference ? "10" : "", "200", Severity::unspecified,
                       report.difference, false, ""},
                      {"AER: BadTLP", report.difference ? "0" : "", "3", Severity::notice, report.difference,
                       false, "correctable"}};
    report.sources = {{"BAR 0", "bar0", "read", ""},
                      {"hw_counters", "collector", "absent", "no RDMA device"},
                      {"devlink health", "collector", "failed", "Operation not permitted"}};
}

} // namespace

Report difference() {
    Report report;
    report.difference = true;
    report.subjects = {subject("before.json", "2026-11-30T20:14:02Z"),
                       subject("after.json", "2026-11-30T20:41:37Z")};
    report.subjects[1].label = "after the outage";
    report.subjects[1].firmware = "228.0.131.0/pkg 228.1.111.0";
    report.verdict = {"Firmware is not ready: FW.FW_STATUS.CODE went from 0x8000 READY to 0xc00d CRASH",
                      "The link of port 1 is down", "1 log record is an error"};
    report.worst = Severity::critical;
    report.findings = 6;
    report.noise = 34;
    report.warnings = {"Another firmware: 226.0.145.0 before, 228.0.131.0 after"};
    report.identity = {
        {"firmware", "226.0.145.0", "228.0.131.0", Severity::notice, true, false, "updated in between"}};
    report.checks = {{"firmware-ready", "passed", "failed", Severity::critical, "FW.FW_STATUS.CODE = 0xc00d",
                      "The firmware does not run.", "Reset the device or update its firmware.", true},
                     {"pcie-link-width", "passed", "passed", Severity::warning, "", "", "", false}};
    report.registers = {fw_status(true), link_state(true), wide(true)};
    ReportRegister gone;
    gone.name = "DMA.STATUS";
    gone.space = "bar0";
    gone.offset = 0x4000;
    gone.before = "0x00000001";
    gone.after_reason = "the device does not answer";
    gone.changed = true;
    gone.severity = Severity::warning;
    gone.fields = {{"", 1, 31, "0x0", "", Severity::unspecified, false},
                   {"RUN", 0, 0, "1 yes", "", Severity::unspecified, false}};
    report.registers.push_back(gone);
    report.counters = {{"RX_DROPS", "register", "4294967290", "3", "+9", "0.005/s", true, false, false, false,
                        Severity::notice, true, false, ""},
                       {"rx_ucast_packets", "ethtool -S", "918273", "12", "", "", false, true, false, false,
                        Severity::warning, true, false, ""},
                       {"TX_RING[3].CONSUMER", "register", "17", "17", "0", "0/s", false, false, true, true,
                        Severity::critical, true, false, "depth 512"}};
    add_logs(report);
    add_context(report);
    report.coverage = {
        {"bar0 0x4000", "read", "the device does not answer", Severity::notice, true, false, ""}};
    report.tree = report.registers;
    ReportRegister calm;
    calm.name = "FW.HEARTBEAT";
    calm.space = "bar0";
    calm.group = "health";
    calm.title = "Counts up while the firmware lives";
    calm.offset = 0x3104;
    calm.before = calm.after = "0x0000002a";
    calm.volatility = Volatility::counter;
    calm.fields = {{"COUNT", 0, 31, "42", "42", Severity::unspecified, false}};
    report.tree.push_back(calm);
    return report;
}

Report snapshot() {
    Report report;
    report.subjects = {subject("server.json", "2026-11-30T20:41:37Z")};
    report.verdict = {"1 check failed: firmware-ready", "2 registers deserve a look"};
    report.worst = Severity::critical;
    report.findings = 3;
    report.checks = {
        {"firmware-ready", "", "failed", Severity::critical, "FW.FW_STATUS.CODE = 0xc00d",
         "The firmware does not run.", "Reset the device or update its firmware.", false},
        {"link-width", "", "not evaluated", Severity::unspecified, "LINK_STATUS: not read", "", "", false}};
    report.registers = {fw_status(false), link_state(false)};
    report.counters = {{"RX_DROPS", "register", "", "3", "", "", false, false, false, false,
                        Severity::unspecified, false, false, ""}};
    add_logs(report);
    add_context(report);
    report.tree = report.registers;
    report.tree.push_back(wide(false));
    return report;
}

std::string hostile_text() {
    return "</script><script>window.broken=1</script><!--<img src=x onerror=\"window.broken=1\">"
           "| a `b` ``c`` @octocat #123 !45 **bold** [x](http://evil.example/) <details>&amp;"
           "\n# heading\r\n\xe2\x80\xa8line \xe2\x80\xae turned \x1b[31mred\x01 {{script}} '\"> \\";
}

Report hostile(const std::string& text) {
    Report report;
    report.difference = true;
    ReportSubject who;
    who.file = who.created = who.label = who.host = who.kernel = who.address = who.ids = who.description =
        who.driver = who.driver_version = who.firmware = who.map = who.tool = text;
    report.subjects = {who, who};
    report.verdict = {text, text, text};
    report.worst = Severity::critical;
    report.findings = 1;
    report.warnings = {text};
    const ReportRow row{text, text, text + "2", Severity::warning, true, false, text};
    report.identity = report.context = report.coverage = {row};
    report.checks = {{text, text, text, Severity::critical, text, text, text, true},
                     {text, text, "failed", Severity::critical, text, text, text, true}};
    ReportRegister reg;
    reg.name = reg.space = reg.title = reg.group = reg.before_reason = reg.after_reason = reg.remark = text;
    reg.before = text;
    reg.after = text + "2";
    reg.changed_bits = 1;
    reg.changed = true;
    reg.severity = Severity::critical;
    reg.fields = {{text, 0, 31, text, text + "2", Severity::critical, true}};
    report.registers = report.tree = {reg};
    report.counters = {
        {text, text, text, text, text, text, true, true, true, false, Severity::warning, true, false, text},
        {text, text, text, text, text, text, true, true, true, true, Severity::warning, true, false, text}};
    report.logs = {{text, 1, text, text, text, true, false}, {text, 2, text, text, text, true, false}};
    report.log_summary = text;
    report.sources = {{text, text, text, text}};
    return report;
}

Report large(std::size_t registers) {
    Report report = difference();
    report.tree.clear();
    report.registers.clear();
    report.tree.reserve(registers);
    for (std::size_t i = 0; i < registers; ++i) {
        ReportRegister reg;
        reg.name = fmt::format("QUEUE[{}].R{}", i / 16, i % 16);
        reg.space = "bar2";
        reg.title = fmt::format("Register {} of a queue", i % 16);
        reg.offset = 4 * i;
        reg.changed = i % 100 == 7;
        reg.before = fmt::format("0x{:08x}", i);
        reg.after = fmt::format("0x{:08x}", i ^ (reg.changed ? 0x8000U : 0U));
        reg.changed_bits = reg.changed ? 0x8000 : 0;
        for (unsigned f = 4; f-- > 0;) {
            const std::string before = fmt::format("0x{:02x}", i >> (8 * f) & 0xff);
            const bool changed = reg.changed && f == 1;
            const std::string after = changed ? fmt::format("0x{:02x}", (i >> 8 & 0xff) ^ 0x80) : before;
            reg.fields.push_back(
                {fmt::format("FIELD{}", f), 8 * f, 8 * f + 7, before, after, Severity::unspecified, changed});
        }
        if (reg.changed) {
            report.registers.push_back(reg);
        }
        report.tree.push_back(std::move(reg));
    }
    for (std::size_t i = 0; i < registers / 100; ++i) {
        const double at = 200 + 0.5 * static_cast<double>(i);
        report.logs.push_back({fmt::format("{:.6f}", at), at, i % 50 == 3 ? "error" : "info", "firmware",
                               fmt::format("record {} of many", i), i % 2 == 0, false});
    }
    report.findings = report.registers.size();
    return report;
}

} // namespace samples
