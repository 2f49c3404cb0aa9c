// The forms in which logs are saved, and damage that must not lose a row.
#include <catch2/catch.hpp>

#include <fwlog/filter.h>

#include "fwlog_support.h"

using namespace fwlog_test;

namespace {

Seen row(const std::string& text) {
    const Log log = read(text + "\n", Format::rows);
    REQUIRE(log.records.size() == 1);
    CHECK(log.records[0].raw == text);
    return log.records[0];
}

const std::string link_down = "bnxt_en 0000:3b:00.0 eth0: NIC Link is Down";

} // namespace

TEST_CASE("every usual way of saving the kernel log is understood") {
    const std::uint64_t boot = 978'631'877'000;
    const std::uint64_t wall = 1'751'891'857ULL * 1'000'000'000; // date -u -d "2025-07-07 12:37:37" +%s
    for (const auto& [text, clock, ns] : std::vector<std::tuple<std::string, Clock, std::uint64_t>>{
             {"[  978.631877] " + link_down, Clock::kernel_monotonic, boot},
             {"[  978.631877][ T1234] " + link_down, Clock::kernel_monotonic, boot},
             {"[  978.631877 <    0.000012>] " + link_down, Clock::kernel_monotonic, boot},
             {"<4>[  978.631877] " + link_down, Clock::kernel_monotonic, boot},
             {"kern  :warn  : [  978.631877] " + link_down, Clock::kernel_monotonic, boot},
             {"[Mon Jul  7 12:37:37 2025] " + link_down, Clock::wall, wall},
             {"2025-07-07T12:37:37,000000+00:00 " + link_down, Clock::wall, wall},
             {"2025-07-07T14:37:37+02:00 host kernel: " + link_down, Clock::wall, wall},
             {"2025-07-07T12:37:37+0000 host kernel: [  978.631877] " + link_down, Clock::kernel_monotonic,
              boot},
             {"Mon 2025-07-07 12:37:37 UTC host kernel: " + link_down, Clock::wall, wall},
             {"[  978.631877] host kernel: " + link_down, Clock::kernel_monotonic, boot},
             {"Jul  7 12:37:37 host kernel: [  978.631877] " + link_down, Clock::kernel_monotonic, boot},
             {"kernel: " + link_down, Clock::none, 0},
             {link_down, Clock::none, 0}}) {
        INFO(text);
        const Seen seen = row(text);
        CHECK(seen.kind == RecordKind::entry);
        CHECK(seen.message == link_down);
        CHECK(seen.clock == clock);
        CHECK(seen.time_ns == ns);
        CHECK(seen.pattern == "link-down");
    }
    CHECK(row("Jul  7 12:37:37 host kernel: " + link_down).clock == Clock::wall_no_year);
    CHECK(row("<3>[  978.631877] x: y").severity == Severity::error);
    CHECK(row("kern  :warn  : [  978.631877] x: y").severity == Severity::warning);
    // ESXi, as in Broadcom KB 426419, with digits.
    const Seen esxi =
        row("2025-07-07T12:37:37.000Z Wa(180) vmkwarning: cpu12:2097)WARNING: bnxtnet: "
            "hwrm_get_version:1234: [vmnic4 : 0x450000000000] VER_GET failed- FW_STATUS_REG: 0x89021");
    CHECK(esxi.level == Severity::warning);
    CHECK(esxi.clock == Clock::wall);
    CHECK(esxi.time_ns == wall);
}

TEST_CASE("/dev/kmsg: priority, sequence, gaps and the device's own lines") {
    // Form: Documentation/ABI/testing/dev-kmsg. Sequence 7, 8, 12: field case 53.
    const Log log =
        read("3,7,978631877,-;bnxt_en 0000:3b:00.0 eth0: TX timeout detected, starting reset task!\n"
             " SUBSYSTEM=pci\n DEVICE=+pci:0000:3b:00.0\n"
             "6,8,978700000,-;plain\n"
             "30,12,979000000,c;daemon row\n");
    REQUIRE(log.records.size() == 4);
    CHECK(log.records[0].sequence == 7);
    CHECK(log.records[0].level == Severity::error);
    CHECK(log.records[0].time_ns == 978'631'877'000);
    CHECK(log.records[0].extra == " SUBSYSTEM=pci\n DEVICE=+pci:0000:3b:00.0");
    CHECK(log.records[0].pattern == "tx-timeout");
    CHECK(log.records[2].kind == RecordKind::gap);
    CHECK(log.records[2].lost == 3);
    CHECK(log.records[2].sequence == 8);
    CHECK(log.records[3].level == Severity::info); // 30 = 3 * 8 + 6
    CHECK(log.summary.gaps == 1);
    CHECK(log.summary.lost == 3);
    CHECK(log.summary.rows == 3);
}

TEST_CASE("dmesg --json, and a document that is torn") {
    const std::string whole = R"({
   "dmesg": [
      {
         "pri":     3,
         "time":     978.631877,
         "msg": "bnxt_en 0000:3b:00.0 eth0: hwrm req_type 0x16 seq id 0x2 error 0x10 {\"x\"}"
      },{
         "pri":     6,
         "time":    1000.000001,
         "msg": "plain \u00b0"
      }
   ]
}
)";
    const Log log = read(whole);
    REQUIRE(log.records.size() == 2);
    CHECK(log.records[0].level == Severity::error);
    CHECK(log.records[0].time_ns == 978'631'877'000);
    CHECK(log.records[0].pattern == "hwrm-error");
    CHECK(log.records[1].time_ns == 1'000'000'001'000);
    CHECK(log.records[1].message == "plain \xc2\xb0");
    const Log torn = read(whole.substr(0, whole.find("plain") + 3));
    REQUIRE(torn.records.size() == 2);
    CHECK(torn.records[1].kind == RecordKind::unparsed);
    CHECK(torn.records[1].raw.find("pla") != std::string::npos);
}

TEST_CASE("journalctl -o json: bytes that are no text, boots, kernel clock before receipt time") {
    const Log log = read(
        R"({"__REALTIME_TIMESTAMP":"1751891857000000","_SOURCE_MONOTONIC_TIMESTAMP":"978631877","PRIORITY":"3","SYSLOG_IDENTIFIER":"kernel","_BOOT_ID":"a","MESSAGE":"bnxt_en 0000:3b:00.0 eth0: NIC Link is Down"})"
        "\n"
        R"({"__REALTIME_TIMESTAMP":"1751891858000000","PRIORITY":"6","_BOOT_ID":"b","MESSAGE":[116,101,109,112,176]})"
        "\n"
        R"({"__REALTIME_TIMESTAMP":"1751891859000000","_BOOT_ID":"b"})"
        "\n");
    REQUIRE(log.records.size() == 3);
    CHECK(log.records[0].clock == Clock::kernel_monotonic);
    CHECK(log.records[0].time_ns == 978'631'877'000);
    CHECK(log.records[0].received == "1751891857000000");
    CHECK(log.records[0].pattern == "link-down");
    CHECK(log.records[1].message == "temp\xb0");
    CHECK(log.records[1].new_boot);
    CHECK(log.records[1].clock == Clock::wall);
    CHECK(log.records[2].kind == RecordKind::unparsed);
}

TEST_CASE("the table: columns by name, in any order; foreign, torn and blank rows stay") {
    const Log log = read("  CODE   SEQ  UNIT   DATA\n"
                         "  0x12   65534  a  0x0000abcd 00000001\n"
                         "  0x12   65535  a  not hex\n"
                         "\n"
                         "  0x12   0      b  dead\n"
                         "  what is this\n"
                         "  0x1f   3      b  00\n"
                         "  0x1f   3      b  00\n"
                         "  0x",
                         std::nullopt);
    std::vector<RecordKind> kinds;
    for (const Seen& seen : log.records) {
        kinds.push_back(seen.kind);
    }
    using K = RecordKind;
    CHECK(kinds == std::vector<K>{K::comment, K::entry, K::entry, K::blank, K::entry, K::unparsed, K::gap,
                                  K::entry, K::entry, K::unparsed});
    CHECK(log.records[1].sequence == 65534);
    CHECK(log.records[1].code == 0x12);
    CHECK(log.records[1].data == std::vector<std::uint64_t>{0xabcd, 1});
    CHECK(log.records[2].message == "not hex");
    CHECK(log.records[2].data.empty());
    CHECK(log.records[6].lost == 2); // 0 follows 65535 without a gap; 1 and 2 are missing
    CHECK(log.summary.wraps == 1);
    CHECK(log.summary.duplicates == 1);
    CHECK(log.records.back().raw == "  0x");

    const Log bare = read("17 0x12 0x1\n18 0x13 0x2\n");
    CHECK(bare.records.at(1).sequence == 18);
    CHECK(bare.records.at(1).code == 0x13);
}

TEST_CASE("damage: no row is lost, whatever it holds") {
    const std::string odd("temp 30\xb0"
                          "C \0 \x1b[31m",
                          15);
    const Log log =
        read("[    1.000000] " + odd + "\r\n\n" + odd + "\nlast row without an end", Format::rows);
    REQUIRE(log.records.size() == 4);
    CHECK(log.records[0].message == odd);
    CHECK(log.records[0].raw == "[    1.000000] " + odd + "\r");
    CHECK(log.records[1].kind == RecordKind::blank);
    CHECK(log.records[2].kind == RecordKind::unparsed);
    CHECK(log.records[2].raw == odd);
    CHECK(log.records[3].raw == "last row without an end");
    CHECK(log.summary.rows == 4);
}

TEST_CASE("rows of megabytes: whole up to 4 MiB, in pieces beyond") {
    const std::string million(1'000'000, 'x');
    const std::string huge(9'000'000, 'y');
    const Log log = read("[    1.000000] " + million + "\n" + huge + "\n[    2.000000] end\n", Format::rows);
    REQUIRE(log.records.size() == 5);
    CHECK(log.records[0].message.size() == million.size());
    std::size_t together = 0;
    for (std::size_t i = 1; i < 4; ++i) {
        CHECK(log.records[i].kind == RecordKind::unparsed);
        together += log.records[i].raw.size();
    }
    CHECK(together == huge.size());
    CHECK(log.records[4].message == "end");
}

TEST_CASE("boots are told apart") {
    const Log log =
        read("[  500.000000] a\n[  501.000000] b\n[    0.000000] Linux version 6.1.0\n[    1.500000] c\n");
    REQUIRE(log.summary.spans.size() == 2);
    CHECK(log.summary.spans[0].latest_ns == 501'000'000'000);
    CHECK(log.summary.spans[1].first_line == 3);
    CHECK(log.summary.spans[1].latest_ns == 1'500'000'000);
    CHECK(log.summary.stamps_back == 0);
    const Log marked =
        read("Jul  7 12:00:00 h kernel: a\n-- Boot 0123abcd --\nJul  7 12:01:00 h kernel: b\n");
    REQUIRE(marked.summary.spans.size() == 2);
    CHECK(marked.summary.spans[1].rows == 1);
}

TEST_CASE("sequence numbers: gap, wrap, duplicate, step back") {
    SequenceTracker small;
    CHECK(small.see(65535, 16).step == Step::first);
    CHECK(small.see(0, 16).step == Step::next);
    const auto gap = small.see(5, 16);
    CHECK(gap.step == Step::gap);
    CHECK(gap.lost == 4);
    CHECK(small.see(5, 16).step == Step::duplicate);
    CHECK(small.see(4, 16).step == Step::backwards);
    SequenceTracker wide;
    wide.see(4294967295U, 32);
    CHECK(wide.see(0, 32).step == Step::next);
    SequenceTracker over_the_end; // 65535 and 0 are missing
    over_the_end.see(65534, 16);
    CHECK(over_the_end.see(1, 16).lost == 2);
    SequenceTracker unknown; // width not known: the numbers tell
    unknown.see(65535, 0);
    CHECK(unknown.see(0, 0).step == Step::next);
    unknown.see(4294967295U, 0);
    CHECK(unknown.see(0, 0).step == Step::next);
}

TEST_CASE("filters: the chosen device only, by whole names") {
    const DeviceNames device{.address = "0000:3b:00.0", .names = {"eth1", "bnxt_re0"}, .driver = "bnxt_en"};
    const auto passes = [&](const std::string& message) {
        Record record;
        record.message = message;
        return concerns(device, record);
    };
    CHECK(passes("bnxt_en 0000:3b:00.0 eth1: x"));
    CHECK(passes("infiniband bnxt_re0: x"));
    CHECK(passes("IPv6: ADDRCONF(NETDEV_CHANGE): eth1: link becomes ready"));
    CHECK(passes("bnxt_en: driver loaded"));
    CHECK_FALSE(passes("bnxt_en 0000:3b:00.1 eth10: x"));
    CHECK_FALSE(passes("infiniband bnxt_re01: x"));
    CHECK(parse_since("978.6")->ns == 978'600'000'000);
    CHECK(parse_since("2025-07-07 12:37:37")->clock == Clock::wall);
    CHECK_FALSE(parse_since("yesterday"));
}

TEST_CASE("what a program prints: every row is an entry, and known ones are known") {
    const Log log =
        read("pci/0000:3b:00.0:\n  reporter fw\n    state error error 1 recover 2 grace_period 0\n"
             "  Status: error\n\n",
             Format::text);
    CHECK(log.summary.entries == 4);
    CHECK(log.summary.unparsed == 0);
    CHECK(log.summary.blank == 1);
    CHECK(log.records[2].pattern == "devlink-reporter-error");
    CHECK(log.records[2].field("recoveries").value == 2);
    CHECK(log.records[3].severity == Severity::error);
    CHECK(log.records[1].raw == "  reporter fw");
}
