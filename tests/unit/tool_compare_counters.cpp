// Counters and indices of registers.
#include "tool_compare_support.h"

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;

namespace {

const std::string counter = R"("volatility": "counter")";

Taken passes(const regmaps::RegisterMap& map, const std::vector<Values>& values, double second) {
    Taken out(map, values, same_boot());
    out.at(second, 0.1);
    return out;
}

} // namespace

TEST_CASE("field case 67: +5 over the wrap, and no other difference") {
    const auto map = regmaps::test::load(registers(reg("CNT", 0, counter) + "," + reg("OTHER", 4)));
    const Report report =
        compare(map, {{"CNT", 0xfffffffe}, {"OTHER", 7}}, {{"CNT", 0x3}, {"OTHER", 7}}, true);
    REQUIRE(report.counters.size() == 1);
    CHECK(report.counters[0].name == "CNT");
    CHECK(report.counters[0].before == "0xfffffffe");
    CHECK(report.counters[0].after == "0x00000003");
    CHECK(report.counters[0].delta == "+5");
    CHECK(report.counters[0].rate == "0.5/s"); // in 10 s
    CHECK(report.counters[0].wrapped);
    CHECK_FALSE(report.counters[0].reset);
    CHECK(report.registers.empty());
    CHECK(report.findings + report.noise == 1);
}

TEST_CASE("a counter that was put back is a finding") {
    const auto map = regmaps::test::load(registers(reg("CNT", 0, counter)));
    const Report report = compare(map, {{"CNT", 5000}}, {{"CNT", 3}});
    REQUIRE(report.counters.size() == 1);
    CHECK(report.counters[0].reset);
    CHECK(report.counters[0].delta.empty());
    CHECK(report.counters[0].severity == Severity::notice);
    CHECK(report.findings == 1);
    const Taken before(map, {{{"CNT", 0xfffffffe}}}, same_boot());
    const Taken after(map, {{{"CNT", 3}}}, nlohmann::json::parse(R"({"host": {"bootId": "b2"}})"));
    const Report booted = compare(before, after);
    REQUIRE(booted.counters.size() == 1);
    CHECK(booted.counters[0].reset); // and not +5
}

TEST_CASE("a field that counts is told as a counter, its neighbours as what they are") {
    const auto map =
        regmaps::test::load(registers(reg("R", 0, R"("fields": [{"name": "STATE", "bits": "31:28"},
                                  {"name": "COUNT", "bits": "7:0", "volatility": "counter", "display": "dec"}])")));
    const Report only = compare(map, {{"R", 0x100000fe}}, {{"R", 0x10000003}}, true);
    CHECK(only.registers.empty());
    REQUIRE(only.counters.size() == 1);
    CHECK(only.counters[0].name == "R.COUNT");
    CHECK(only.counters[0].before == "254");
    CHECK(only.counters[0].delta == "+5"); // 8 bits
    const Report both = compare(map, {{"R", 0x10000001}}, {{"R", 0x20000002}}, true);
    CHECK(names_of(both.registers) == Names{"R"});
    CHECK(names_of(both.counters) == Names{"R.COUNT"});
    CHECK(both.findings == 1);
    CHECK(both.noise == 1);
}

TEST_CASE("an advance is noise, of what counts errors a warning") {
    const auto map = regmaps::test::load(
        registers(reg("FRAMES", 0, counter) + "," + reg("RXERRC", 4, counter) + "," +
                  reg("BAD", 8, counter + R"(, "group": "error")") + "," +
                  reg("RATED", 12, R"("fields": [{"name": "N", "bits": "31:0", "volatility": "counter",
                                        "severity": {"0": "ok", "1": "warning"}}])")));
    const Values before{{"FRAMES", 1}, {"RXERRC", 1}, {"BAD", 1}, {"RATED", 4}};
    const Values after{{"FRAMES", 9}, {"RXERRC", 9}, {"BAD", 9}, {"RATED", 9}};
    const Report report = compare(map, before, after);
    CHECK(names_of(report.counters) == Names{"RXERRC", "BAD", "RATED.N"});
    for (const ReportCounter& found : report.counters) {
        CHECK(found.severity == Severity::warning);
    }
    CHECK(report.noise == 1);
    CHECK(compare(map, before, after, true).counters.back().name == "FRAMES");
    CHECK(is_empty(compare(map, before, before)));
}

TEST_CASE("another rate than within the passes is a finding, the same one is not") {
    const auto map = regmaps::test::load(registers(reg("CNT", 0, counter)));
    const auto at = [&](std::uint64_t first, std::uint64_t second, double seconds) {
        return passes(map, {{{"CNT", first}}, {{"CNT", second}}}, seconds);
    };
    // 100 within a tenth of a second: 10,000 in ten.
    const Taken before = at(0, 100, 100);
    CHECK(compare(before, at(10'000, 10'100, 110)).findings == 0);
    CHECK(compare(before, at(10'000, 10'100, 110)).noise == 1);
    const Report burst = compare(before, at(500'000, 500'100, 110));
    REQUIRE(burst.counters.size() == 1);
    CHECK_FALSE(burst.counters[0].noise);
    CHECK(burst.counters[0].rate == "50000/s");
    const Report still = compare(before, at(10'100, 10'100, 110));
    REQUIRE(still.counters.size() == 1);
    CHECK(still.counters[0].stalled);
}

TEST_CASE("the rate is by the wall clock where the boots differ or are not known, and says so") {
    const auto map = regmaps::test::load(registers(reg("RXERRC", 0, counter)));
    const auto taken = [&](std::uint64_t value, const char* time) {
        Taken out(map, {{{"RXERRC", value}}}, {{"created", {{"time", time}}}});
        return out.untimed();
    };
    const Report report = compare(taken(10, "2026-11-30T10:00:00Z"), taken(30, "2026-11-30T10:00:04Z"));
    REQUIRE(report.counters.size() == 1);
    CHECK(report.counters[0].delta == "+20");
    CHECK(report.counters[0].rate == "5/s");
    CHECK_THAT(report.counters[0].remark, Catch::Contains("wall clock"));
    const Report untimed = compare(taken(10, "x"), taken(30, "x"));
    REQUIRE(untimed.counters.size() == 1);
    CHECK(untimed.counters[0].rate.empty());
    const Report reversed = compare(taken(10, "2026-11-30T10:00:04Z"), taken(30, "2026-11-30T10:00:00Z"));
    CHECK(reversed.counters[0].rate.empty());
    REQUIRE(reversed.warnings.size() == 1);
    CHECK_THAT(reversed.warnings[0], Catch::Contains("order"));
}

TEST_CASE("indices move modulo the depth that the map computes for each element") {
    const auto map = regmaps::test::load(registers(
        reg("LEN", 0, R"("array": {"count": 2, "stride": 4}, "volatility": "config")") + "," +
        R"({"name": "HEAD", "offset": 16, "readAction": "none", "volatility": "index", "display": "dec",
            "array": {"count": 2, "stride": 4, "index": "q"}, "modulus": "LEN[q] / 16"})"));
    // 128 / 16 = 8 entries, 256 / 16 = 16.
    const Values before{{"LEN[0]", 128}, {"LEN[1]", 256}, {"HEAD[0]", 6}, {"HEAD[1]", 6}};
    const Values after{{"LEN[0]", 128}, {"LEN[1]", 256}, {"HEAD[0]", 2}, {"HEAD[1]", 2}};
    const Report report = compare(map, before, after, true);
    CHECK(names_of(report.counters) == Names{"HEAD[0]", "HEAD[1]"});
    CHECK(report.counters[0].index);
    CHECK(report.counters[0].delta == "+4");
    CHECK(report.counters[1].delta == "+12");
    CHECK_FALSE(report.counters[0].reset);
    CHECK(report.findings == 0); // it works
    CHECK(report.noise == 2);
}

TEST_CASE("an index that moved within BEFORE and stands still within AFTER is a finding") {
    const auto map =
        regmaps::test::load(registers(reg("HEAD", 0, R"("volatility": "index", "modulus": 64)")));
    const Taken running = passes(map, {{{"HEAD", 10}}, {{"HEAD", 20}}}, 100);
    const Taken standing = passes(map, {{{"HEAD", 20}}, {{"HEAD", 20}}}, 110);
    const Report report = compare(running, standing); // the last values are even the same
    REQUIRE(report.counters.size() == 1);
    CHECK(report.counters[0].stalled);
    CHECK(report.counters[0].index);
    CHECK(report.counters[0].severity == Severity::warning);
    CHECK(report.findings == 1);
    const Taken running_on = passes(map, {{{"HEAD", 20}}, {{"HEAD", 21}}}, 110);
    CHECK(compare(running, running_on).findings == 0);
    CHECK(compare(standing, standing).findings == 0); // idle in both
}
