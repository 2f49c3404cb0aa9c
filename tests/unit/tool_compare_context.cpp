// What the kernel's tools told: counters, settings, tables.
#include "tool_compare_support.h"

#include <evidence/error_names.h>

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;
using nlohmann::json;

namespace {

Report of_values(const std::string& kind, const json& before, const json& after, bool all = false,
                 const std::string& second_boot = "b1") {
    const auto map = regmaps::test::load(registers(reg("R", 0)));
    const auto taken = [&](const json& values, const char* ns, const std::string& boot) {
        return Taken(map, {{{"R", 1}}},
                     {{"host", {{"bootId", boot}}},
                      {"context", json::array({{{"name", "ethtool -S"},
                                                {"status", "read"},
                                                {"monotonicNs", ns},
                                                {"kind", kind},
                                                {"values", values}}})}});
    };
    return compare(taken(before, "1000000000", "b1"), taken(after, "5000000000", second_boot), all);
}

} // namespace

TEST_CASE("names that count errors") {
    for (const char* name : {"rx_crc_errors", "tx_dropped", "rx_discard_pkts", "RXERRC", "rx_total_discards",
                             "local_ack_timeout_err", "duplicate_request_retransmits", "tx_timeout",
                             "out_of_sequence", "rnr_nak_retry_err", "rx_fifo_overruns", "correctable.BadTLP",
                             "nonfatal.TOTAL_ERR_NONFATAL", "link_fail_cnt", "packet_seq_err"}) {
        INFO(name);
        CHECK(counts_errors(name));
    }
    for (const char* name : {"rx_packets", "tx_bytes", "interrupts", "rx_deferred", "preferred", "rx_octets",
                             "tx_ucast_frames", "rx_pause_frames", "override_count", "transferred"}) {
        INFO(name);
        CHECK_FALSE(counts_errors(name));
    }
}

TEST_CASE("driver counters: errors are findings with delta and rate, traffic is noise") {
    const json before{{"rx_packets", "100"}, {"rx_crc_errors", "7"}, {"same_errors", "3"}};
    const json after{{"rx_packets", "900"}, {"rx_crc_errors", "17"}, {"same_errors", "3"}};
    const Report report = of_values("counters", before, after);
    REQUIRE(report.counters.size() == 1);
    CHECK(report.counters[0].name == "rx_crc_errors");
    CHECK(report.counters[0].source == "ethtool -S");
    CHECK(report.counters[0].delta == "+10");
    CHECK(report.counters[0].rate == "2.5/s"); // in 4 s
    CHECK(report.counters[0].severity == Severity::warning);
    CHECK(report.findings == 1);
    CHECK(report.noise == 1);
    const Report all = of_values("counters", before, after, true);
    CHECK(names_of(all.counters) == Names{"rx_crc_errors", "rx_packets"});
    CHECK(all.counters[1].noise);
}

TEST_CASE("a driver counter that went back was reset") {
    const Report report = of_values("counters", {{"rx_packets", "900"}}, {{"rx_packets", "5"}});
    REQUIRE(report.counters.size() == 1);
    CHECK(report.counters[0].reset);
    CHECK(report.counters[0].severity == Severity::notice);
    // After another boot a higher value says nothing either.
    const Report booted = of_values("counters", {{"rx_packets", "5"}}, {{"rx_packets", "900"}}, true, "b2");
    REQUIRE(booted.counters.size() == 1);
    CHECK(booted.counters[0].delta.empty());
    CHECK(booted.counters[0].noise);
}

TEST_CASE("settings, and values that come and go") {
    const Report report = of_values("settings", {{"rx-usecs", "3"}, {"gone", "1"}, {"same", "on"}},
                                    {{"rx-usecs", "50"}, {"new", ""}, {"same", "on"}});
    CHECK(names_of(report.context) == Names{"ethtool -S: gone", "ethtool -S: new", "ethtool -S: rx-usecs"});
    CHECK(report.context[0].after == "not there");
    CHECK(report.context[1].before == "not there");
    CHECK(report.context[2].before == "3");
    CHECK(report.context[2].after == "50");
    CHECK(report.findings == 3);
    CHECK(report.registers.empty());
}

TEST_CASE("what the identity has told already is not told again") {
    const auto map = regmaps::test::load(registers(reg("R", 0)));
    const auto taken = [&](const std::string& version) {
        return Taken(map, {{{"R", 1}}},
                     {{"device", {{"firmware", {{"firmware-version", version}}}}},
                      {"context", json::array({{{"name", "ethtool -i ens1"},
                                                {"status", "read"},
                                                {"kind", "settings"},
                                                {"values", {{"firmware-version", version}}}}})}});
    };
    const Report report = compare(taken("230"), taken("231"));
    CHECK(names_of(report.identity) == Names{"firmware firmware-version"});
    CHECK(report.context.empty());
    CHECK(report.findings == 1);
}

TEST_CASE("a table's rows: numbers move, words are findings") {
    const json before{{"qp 5", "state RTS sq-psn 1234 path-mig-state MIGRATED"}, {"qp 6", "state RTS"}};
    const json after{{"qp 5", "state RTS sq-psn 0x9ff path-mig-state MIGRATED"}, {"qp 6", "state ERR"}};
    const Report report = of_values("table", before, after);
    CHECK(names_of(report.context) == Names{"ethtool -S: qp 6"});
    CHECK(report.noise == 1);
}

TEST_CASE("a value that is no number is none: it is shown as it is") {
    const Report report = of_values("counters", {{"temp_err", "n/a"}}, {{"temp_err", "12"}});
    CHECK(report.counters.empty());
    CHECK(names_of(report.context) == Names{"ethtool -S: temp_err"});
    CHECK(report.context[0].before == "n/a");
}
