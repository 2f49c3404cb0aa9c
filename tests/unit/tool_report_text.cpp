// Reports for a terminal, and what all renderers share. Right values are worked out by hand from the sample.
#include "tool_report_support.h"

#include <algorithm>

#include <render/report_parts.h>
#include <render/report_text.h>
#include <samples.h>

using namespace barscope::tool;

namespace {

std::string text_of(const Report& report, bool all = false, bool colour = false) {
    return rendered([&](Output& out) { render_report_text(out, Style(colour), report, all); });
}

} // namespace

TEST_CASE("Report: ranges of bits, the highest first") {
    CHECK(bit_ranges(0).empty());
    CHECK(bit_ranges(1) == "0");
    CHECK(bit_ranges(0x8181) == "15, 8:7, 0");
    CHECK(bit_ranges(0xffffffffffffffff) == "63:0");
    CHECK(bit_ranges(0x8000000000000001) == "63, 0");
    CHECK(bit_ranges(0x1400d) == "16, 14, 3:2, 0");
    for (unsigned bit = 0; bit < 64; ++bit) {
        CHECK(bit_ranges(std::uint64_t{1} << bit) == std::to_string(bit));
        CHECK(bits_of({"F", bit, bit, "", "", Severity::unspecified, false}) == std::uint64_t{1} << bit);
    }
    CHECK(bits_of({"F", 0, 63, "", "", Severity::unspecified, false}) == 0xffffffffffffffff);
    CHECK(bits_of({"F", 4, 7, "", "", Severity::unspecified, false}) == 0xf0);
}

TEST_CASE("Report: a difference's lines, the worst first") {
    const std::vector<ReportLine> lines = report_lines(samples::difference(), false);
    std::vector<std::string> names;
    for (const ReportLine& line : lines) {
        names.push_back(line.name);
    }
    CHECK(names == std::vector<std::string>{"FW.FW_STATUS.CRASHED_NO_MASTER", "FW.FW_STATUS.CODE",
                                            "PORT[1].LINK.UP", "DMA.STATUS", "PORT[1].LINK.AUTONEG",
                                            "DMA.ERROR_ADDRESS.VALID", "DMA.ERROR_ADDRESS.ADDRESS"});
    CHECK(std::is_sorted(lines.begin(), lines.end(),
                         [](const ReportLine& a, const ReportLine& b) { return a.severity > b.severity; }));
    CHECK(lines[0].bits == "16");
    CHECK(lines[1].before == "0x8000 READY");
    CHECK(lines[1].after == "0xc00d CRASH");
    CHECK(lines[1].bits == "14, 3:2, 0");
    CHECK(lines[2].remark == "Cable or partner");
    CHECK(lines[4].remark.empty());
    CHECK(lines[3].after == "not read: the device does not answer");
}

TEST_CASE("Report: bits that no named field holds are a line of the register") {
    Report report;
    report.difference = true;
    ReportRegister reg;
    reg.name = "R";
    reg.before = "0x00000000";
    reg.after = "0x00000103";
    reg.changed_bits = 0x103;
    reg.severity = Severity::warning;
    reg.fields = {{"", 8, 31, "0", "1", Severity::unspecified, true},
                  {"LOW", 0, 7, "0", "3", Severity::warning, true}};
    report.registers = {reg};
    std::vector<ReportLine> lines = report_lines(report, false);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].name == "R.LOW");
    CHECK(lines[0].bits == "1:0");
    CHECK(lines[1].name == "R");
    CHECK(lines[1].before == "0x00000000");
    CHECK(lines[1].bits == "8");
    CHECK(lines[1].severity == Severity::unspecified);

    report.registers[0].fields.clear();
    lines = report_lines(report, false);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].bits == "8, 1:0");
    CHECK(lines[0].severity == Severity::warning);
}

TEST_CASE("Report: noise is told with --all only, and last") {
    Report report = samples::difference();
    report.registers[0].noise = true;
    report.context[0].noise = true;
    report.counters[0].noise = true;
    const std::string usual = text_of(report), all = text_of(report, true);
    for (const char* name : {"FW.FW_STATUS.CRASHED_NO_MASTER", "ethtool -c: rx-usecs", "RX_DROPS"}) {
        CHECK(usual.find(name) == std::string::npos);
        CHECK(all.find(name) != std::string::npos);
    }
    CHECK(all.find("DMA.ERROR_ADDRESS.ADDRESS") < all.find("FW.FW_STATUS.CRASHED_NO_MASTER"));
    CHECK(usual.ends_with("\n6 findings, 34 noise left out (--all)\n"));
    CHECK(all.ends_with("\n6 findings\n"));
}

TEST_CASE("Report: totals") {
    Report report;
    CHECK(total_line(report, false) == "no findings");
    report.findings = 1;
    CHECK(total_line(report, false) == "1 finding");
    report.findings = 12;
    report.noise = 34;
    CHECK(total_line(report, false) == "12 findings, 34 noise left out (--all)");
}

TEST_CASE("Report as text: warnings, verdict, then the findings") {
    const std::string text = text_of(samples::difference());
    std::size_t at = 0;
    for (const char* part :
         {"warning: Another firmware",
          "Firmware is not ready",
          "identity\n",
          "what differs",
          "passed -> failed",
          "registers that changed",
          "critical  FW.FW_STATUS.CODE",
          "0x8000 READY -> 0xc00d CRASH",
          "[14, 3:2, 0]",
          "counters",
          "RX_DROPS          4294967290 -> 3  +9  0.005/s  register",
          "reset: it went backwards",
          "indices",
          "TX_RING[3].CONSUMER  17 -> 17  0  0/s  register  critical: stands still, depth 512",
          "log records that are new",
          "Firmware heartbeat missed",
          "context",
          "10 -> 200",
          "0 -> 3     notice: correctable",
          "read in one only",
          "1 source was not there or not asked (--all)",
          "6 findings"}) {
        INFO(part);
        const std::size_t found = text.find(part, at);
        REQUIRE(found != std::string::npos);
        at = found;
    }
    CHECK(text.find("NIC Link is Up") == std::string::npos); // it was there before
}

TEST_CASE("Report as text: one snapshot has values, no arrows") {
    const std::string text = text_of(samples::snapshot());
    CHECK(text.find("->") == std::string::npos);
    CHECK(text.find("FW.FW_STATUS.CODE               0xc00d CRASH") != std::string::npos);
    CHECK(text.find("NIC Link is Up") != std::string::npos);
    CHECK(text.find("RECOVERING") == std::string::npos); // ok
}

TEST_CASE("Report as text: outside text cannot move the cursor, end a line or turn it round") {
    const std::string text = text_of(samples::hostile(samples::hostile_text()), true);
    for (const char c : text) {
        CHECK((c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)));
    }
    CHECK(text.find("\xe2\x80\xae") == std::string::npos);
    CHECK(text.find("\xe2\x80\xa8") == std::string::npos);
    CHECK(text.find("\n# heading") == std::string::npos);
    CHECK(text_of(samples::hostile("a"), true).find("\033[") == std::string::npos);
    CHECK(text_of(samples::hostile("a"), true, true).find("\033[") != std::string::npos);
}

TEST_CASE("Report as text: what both have in common is said once, what passed is counted") {
    Report report = samples::difference();
    const std::string text = text_of(report);
    CHECK(count_of(text, "bnxt-p5 2.0.0") == 1);
    CHECK(count_of(text, "226.0.145.0") == 2); // the warning, and what differs
    CHECK(text.find("before.json -> after.json") != std::string::npos);
    CHECK(text.find("(none) -> after the outage") != std::string::npos);
    CHECK(text.find("pcie-link-width") == std::string::npos);
    CHECK(text.find("\n  1 passed\n") != std::string::npos);
    CHECK(text_of(report, true).find("pcie-link-width") != std::string::npos);
    report.checks[1].after = "not applicable";
    report.checks.push_back({"x", "passed", "passed", Severity::warning, "", "", "", false});
    CHECK(text_of(report).find("\n  1 passed, 1 not applicable\n") != std::string::npos);
}

TEST_CASE("Report as text: an empty report is a report") {
    CHECK(text_of(Report{}) == "\nno findings\n");
}
