// Logs from the field. What is expected stands in each file's header and in the messages themselves.
#include <catch2/catch.hpp>

#include "fwlog_support.h"

using namespace fwlog_test;

namespace {

std::uint64_t lasted(const Summary& summary) {
    return summary.spans.at(0).latest_ns - summary.spans.at(0).earliest_ns;
}
std::uint64_t errors(const Summary& summary) {
    return summary.by_severity.at(static_cast<std::size_t>(Severity::error)) +
           summary.by_severity.at(static_cast<std::size_t>(Severity::critical));
}

} // namespace

TEST_CASE("sample 01: the kernel's stamp counts, radix and sign differ within a row") {
    const Log log = sample("01-bnxt_en-tx-timeout-syslog.txt");
    CHECK(log.summary.comments == 3);
    CHECK(log.summary.entries == 25);
    CHECK(log.summary.unparsed == 0);
    CHECK(log.summary.spans.size() == 1);
    CHECK(lasted(log.summary) == 51'996'443'000);
    CHECK(log.records.at(3).received == "Aug 15 12:21:39");
    CHECK(log.records.at(3).level == Severity::error);
    CHECK(log.records.at(3).time_ns == 978'631'877'000);

    const auto free_failed = log.of("hwrm-ring-free");
    REQUIRE(free_failed.size() == 2);
    CHECK(free_failed[0].field("rc").value == -16);
    CHECK(free_failed[0].field("rc").shown == "-16 EBUSY");
    CHECK(free_failed[0].field("err").shown == "0x0 ok");

    const auto rings = log.of("ring-state-tx");
    REQUIRE(rings.size() == 3);
    CHECK(rings[2].field("fw_ring").value == 6);
    CHECK(rings[2].field("prod").value == 0x63);
    CHECK(rings[2].field("cons").value == 0x120);
    CHECK(rings[2].differences.at(0) == 323);
    const auto completions = log.of("ring-state-cp");
    CHECK(completions.at(1).field("fw_ring").value == 17);
    CHECK(completions.at(1).field("raw_cons").value == 0x517b28);

    REQUIRE(log.summary.series.size() == 1);
    const Series& series = log.summary.series[0];
    CHECK(series.lowest == 44628);
    CHECK(series.highest == 44650);
    CHECK(series.step == 2);
    CHECK(series.missing == std::vector<std::uint64_t>{44638});
    CHECK(series.missing_count == 1);
    // Rows stay in the order of the file.
    CHECK(log.of("hwrm-late-answer").at(1).field("seq_id").value == 44636);
}

TEST_CASE("sample 02: a watchdog in a guest") {
    const Log log = sample("02-bnxt_en-netdev-watchdog-guest.txt");
    CHECK(log.summary.entries == 10);
    CHECK(log.summary.unparsed == 0);
    const auto watchdog = log.of("netdev-watchdog");
    REQUIRE(watchdog.size() == 1);
    CHECK(watchdog[0].field("interface").text == "ens0p1");
    CHECK(watchdog[0].field("driver").text == "bnxt_en");
    CHECK(watchdog[0].field("queue").value == 2);
    CHECK(log.of("hwrm-no-interrupt").at(0).field("req_type").shown == "0x51 RING_FREE");
    CHECK(log.of("kernel-warning").size() == 1);
}

TEST_CASE("sample 04: the last row says success after the failures") {
    const Log log = sample("04-bnxt_re-fw-stall-journal.txt");
    CHECK(log.summary.entries == 14);
    CHECK(log.summary.unparsed == 0);
    CHECK(errors(log.summary) >= 5);
    CHECK(log.records.back().severity == Severity::info);
    REQUIRE(log.summary.last_error);
    CHECK(log.summary.last_error->message == "infiniband bnxt_re0: Couldn't open port 1");
    const auto stall = log.of("roce-fw-stall");
    REQUIRE(stall.size() == 1);
    CHECK(stall[0].field("cookie").value == 0xe);
    CHECK(stall[0].field("opcode").shown == "0x3 MODIFY_QP");
    CHECK(stall[0].field("waited").shown == "103641 ms");
    CHECK(stall[0].field("limit").value == 100000);
    CHECK(stall[0].clock == Clock::wall_no_year);
    CHECK(lasted(log.summary) == 104'000'000'000); // 13:04:29 to 13:06:13
    CHECK(log.of("roce-port-failed").at(0).field("rc").shown == "-110 ETIMEDOUT");
    CHECK(log.of("roce-verb-failed").back().field("rc").shown == "-110 ETIMEDOUT"); // 0xffffff92
    CHECK(log.records.at(7).program == "systemd-udevd[1226]");
}

TEST_CASE("sample 06: the cause is printed after its victims, and rows keep their order") {
    const Log log = sample("06-bnxt_re-cmdq-timeout-nvmeof.txt");
    CHECK(log.summary.entries == 14);
    CHECK(log.summary.unparsed == 0);
    const auto timeout = log.of("roce-command-timeout");
    REQUIRE(timeout.size() == 1);
    CHECK(timeout[0].time_ns == 102'405'967'000);
    CHECK(timeout[0].field("waited").shown == "20000 ms");
    CHECK(timeout[0].field("cookie").value == 0x41d);
    CHECK(log.of("nvme-timeout").size() == 4);
    CHECK(log.of("nvme-timeout").back().line < timeout[0].line);
    CHECK(log.of("drain-failed").at(0).field("rc").shown == "-110 ETIMEDOUT");
}

TEST_CASE("sample 07: raw status and opcode beside their names") {
    const Log log = sample("07-bnxt_re-ah-alloc.txt");
    const auto refused = log.of("roce-command-failed");
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].field("cookie").value == 0x4b9);
    CHECK(refused[0].field("opcode").shown == "0x15 CREATE_AH");
    CHECK(refused[0].field("status").shown == "0x5 invalid-parameter");
    CHECK(refused[0].code == 5);
    CHECK(refused[0].code_name == "invalid-parameter");
    CHECK(log.of("nvme-connect-failed").at(0).field("rc").shown == "-14 EFAULT");
    CHECK(log.of("nvme-connect-failed").size() == 2);
}

TEST_CASE("sample 09: masked digits and two records on one line are kept and counted") {
    const Log log = sample("09-bnxtnet-esxi-fw-crash.txt");
    CHECK(log.summary.comments == 3);
    CHECK(log.summary.unparsed == 3);
    CHECK(log.summary.rows == 6);
    CHECK(log.records.at(5).line == 6);
    CHECK(log.records.at(5).raw.find("CRT FATAL ERROR: 0x9021") != std::string::npos);
    CHECK(log.of("esxi-fw-fatal").at(0).code == 0x9021);
    const auto status = log.of("esxi-fw-status");
    REQUIRE(status.size() == 1);
    CHECK(status[0].code == 0x89021);
    // Bit 19 and the code 0x9021.
    CHECK(status[0].field("status").shown == "0x89021 (CRASHDUMP_COMPLETE, CODE 0x9021)");
}

TEST_CASE("sample 11: all ones are no version and no syndrome") {
    const Log log = sample("11-mlx5-health-all-ones-hot-unplug.txt");
    CHECK(log.summary.entries == 17);
    CHECK(log.summary.unparsed == 0);
    CHECK(log.of("mlx5-assert-var").size() == 5);
    CHECK(log.of("mlx5-assert-var")[0].field("value").shown == "0xffffffff all ones");
    const auto raw = log.of("mlx5-raw-fw-ver");
    REQUIRE(raw.size() == 1);
    CHECK(raw[0].field("raw").differs.empty());
    CHECK(raw[0].field("raw").shown.find("255.255") == std::string::npos);
    CHECK(lasted(log.summary) == 64'091'676'000); // 36.447442 to 100.539118
}

TEST_CASE("sample 12: raw and decoded version disagree: both are shown") {
    const Log log = sample("12-mlx5-irisc-not-responding.txt");
    CHECK(log.summary.entries == 13);
    const auto raw = log.of("mlx5-raw-fw-ver");
    REQUIRE(raw.size() == 1);
    CHECK(raw[0].field("raw").text == "0xe01a00e2");
    CHECK(raw[0].field("raw").differs == "14.26.226");
    CHECK(raw[0].field("raw").shown == "0xe01a00e2 (224.26.226), differs from 14.26.226");
    CHECK(log.summary.differing == 1);
    CHECK(log.of("mlx5-syndrome").at(0).code == 7);
}

TEST_CASE("sample 13: output of devlink, whose versions agree") {
    const Log log = sample("13-mlx5-devlink-health-diagnose.txt");
    CHECK(log.summary.unparsed == 0);
    CHECK(log.summary.entries == 15);
    const auto raw = log.of("mlx5-raw-fw-ver");
    REQUIRE(raw.size() == 1);
    CHECK(raw[0].field("raw").shown == "0x101803e8 (16.24.1000)");
    CHECK(log.summary.differing == 0);
}

TEST_CASE("samples 15, 16, 18: refusals, human stamps, stamps that go back") {
    const Log refusals = sample("15-lockdown-and-selinux.txt");
    CHECK(refusals.summary.entries == 2);
    CHECK(refusals.of("selinux-lockdown").at(0).field("reason").text == "direct PCI access");
    CHECK(refusals.of("lockdown").at(0).field("program").text == "gddr6");

    const Log human = sample("16-iavf-human-timestamps.txt");
    CHECK(human.summary.entries == 5);
    CHECK(human.records.at(3).clock == Clock::wall);
    CHECK(human.records.at(3).time_ns ==
          1'751'891'857ULL * 1'000'000'000); // date -u -d "2025-07-07 12:37:37" +%s
    CHECK(lasted(human.summary) == 2'000'000'000);
    const auto refused = human.of("intel-pf-refused");
    REQUIRE(refused.size() == 2);
    CHECK(refused[0].field("rc").value == -5);
    CHECK(refused[1].field("rc").value == -64);
    CHECK(refused[1].field("name").text == "IAVF_NOT_SUPPORTED");

    const Log back = sample("18-mlx5-pci-error-recovery.txt");
    CHECK(back.summary.entries == 6);
    CHECK(back.summary.stamps_back == 1);
    CHECK(back.summary.spans.size() == 1);
    CHECK(back.records.at(4).time_ns == 81'083'307'000);
    CHECK(back.records.at(5).time_ns == 81'077'428'000);
    CHECK(back.of("mlx5-crdump-failed").at(0).field("rc").shown == "-13 EACCES");
}
