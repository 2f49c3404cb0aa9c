// One snapshot against a fleet: what nearly all others have, and what no two share.
#include "tool_compare_support.h"

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;
using nlohmann::json;

namespace {

regmaps::RegisterMap fleet_map() {
    return regmaps::test::load(registers(
        reg("MODE", 0, R"("volatility": "config", "fields": [{"name": "A", "bits": "7:0"},
                                                             {"name": "B", "bits": "15:8"}])") +
            "," + reg("SERIAL", 4, R"("volatility": "constant")") + "," +
            reg("COUNT", 8, R"("volatility": "counter")") + "," +
            reg("TIME", 12, R"("volatility": "timestamp")") + "," +
            reg("STATE", 16, R"("enum": {"1": {"name": "UP", "severity": "ok"},
                                         "2": {"name": "DOWN", "severity": "critical"}})"),
        R"("checks": [{"name": "up", "expect": "STATE == 1", "severity": "critical", "meaning": "it is up"}])"));
}

Values machine(unsigned number) {
    return {
        {"MODE", 0x0102}, {"SERIAL", 1000 + number}, {"COUNT", 7 * number}, {"TIME", number}, {"STATE", 1}};
}

json firmware(const std::string& version) {
    return {{"device", {{"firmware", {{"fw", version}}}, {"serial", version}}}};
}

Result<Report> with_fleet(const std::vector<Taken>& fleet, const Taken& one) {
    std::vector<Evidence> evidence;
    for (const Taken& member : fleet) {
        evidence.push_back(member.evidence());
    }
    return compare_with_baseline(evidence, one.evidence(), {});
}

std::vector<Taken> fleet_of(const regmaps::RegisterMap& map, unsigned count) {
    std::vector<Taken> fleet;
    for (unsigned i = 0; i < count; ++i) {
        fleet.emplace_back(map, std::vector<Values>{machine(i)}, firmware("230"));
    }
    return fleet;
}

} // namespace

TEST_CASE("a machine like the others has no finding, whatever its serial and counters are") {
    const auto map = fleet_map();
    const auto report = with_fleet(fleet_of(map, 10), Taken(map, {machine(77)}, firmware("230")));
    REQUIRE(report);
    CHECK(report->findings == 0);
    CHECK(report->registers.empty());
    CHECK_FALSE(has_findings(*report));
    REQUIRE(report->subjects.size() == 2);
}

TEST_CASE("what differs from nearly all is a finding, and it says from how many") {
    const auto map = fleet_map();
    Values odd = machine(77);
    odd["MODE"] = 0x0902;
    odd["STATE"] = 2;
    const auto report = with_fleet(fleet_of(map, 10), Taken(map, {odd}, firmware("231")));
    REQUIRE(report);
    CHECK(names_of(report->registers) == Names{"STATE", "MODE"});
    CHECK(report->registers[0].severity == Severity::critical);
    CHECK(changes(*report) ==
          Names{"STATE.(value): 0x00000001 UP -> 0x00000002 DOWN", "MODE.B: 0x01 -> 0x09"});
    CHECK(report->registers[1].remark == "10 of 10 have it so");
    CHECK(report->registers[1].changed_bits == 0xff00);
    CHECK(names_of(report->identity) == Names{"firmware fw"});
    CHECK(names_of(report->checks) == Names{"up"});
    CHECK(report->findings == 4);
}

TEST_CASE("nine of ten are nearly all, eight of ten are not; fewer than three are nobody") {
    const auto map = fleet_map();
    Values odd = machine(77);
    odd["MODE"] = 0x0109;
    const Taken one(map, {odd}, firmware("230"));
    Values other = machine(9);
    other["MODE"] = 0x0133;
    std::vector<Taken> nine = fleet_of(map, 9);
    nine.emplace_back(map, std::vector<Values>{other}, firmware("230"));
    CHECK(names_of(with_fleet(nine, one)->registers) == Names{"MODE"});
    std::vector<Taken> eight = fleet_of(map, 8);
    eight.emplace_back(map, std::vector<Values>{other}, firmware("230"));
    eight.emplace_back(map, std::vector<Values>{other}, firmware("230"));
    CHECK(with_fleet(eight, one)->registers.empty());
    const auto small = with_fleet(fleet_of(map, 2), one);
    REQUIRE_FALSE(small);
    CHECK(small.error().cause == "small-baseline");
    CHECK(names_of(with_fleet(fleet_of(map, 3), one)->registers) == Names{"MODE"});
}

TEST_CASE("what nearly all could read and this one not") {
    const auto map = fleet_map();
    Values lost = machine(77);
    lost.erase("STATE");
    const auto report = with_fleet(fleet_of(map, 5), Taken(map, {lost}, firmware("230")));
    CHECK(names_of(report->coverage) == Names{"STATE"});
    CHECK(report->coverage[0].before == "read");
    CHECK(report->registers.empty());
}
