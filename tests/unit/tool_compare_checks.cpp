// Checks, and the lines that are read first.
#include "tool_compare_support.h"

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;

namespace {

regmaps::RegisterMap check_map() {
    return regmaps::test::load(registers(reg("A", 0) + "," + reg("B", 4),
                                         R"("checks": [
          {"name": "a", "expect": "A == 1", "severity": "critical", "meaning": "A is one", "advice": "do it"},
          {"name": "b", "expect": "B == 1", "severity": "notice", "meaning": "B is one"},
          {"name": "c", "when": "B == 5", "expect": "A == 1", "severity": "warning", "meaning": "c"}])"));
}

} // namespace

TEST_CASE("a check that fails now has its severity, what was found, and the advice") {
    const auto map = check_map();
    const Report report = compare(map, {{"A", 1}, {"B", 1}}, {{"A", 2}, {"B", 1}});
    REQUIRE(report.checks.size() == 1);
    const ReportCheck& check = report.checks[0];
    CHECK(check.name == "a");
    CHECK(check.before == "passed");
    CHECK(check.after == "failed");
    CHECK(check.severity == Severity::critical);
    CHECK(check.found == "A = 0x2");
    CHECK(check.meaning == "A is one");
    CHECK(check.advice == "do it");
    CHECK(report.findings == 2); // and the register itself
    REQUIRE(report.verdict.size() == 3);
    CHECK(report.verdict[0] == "check a went from passed to failed: A is one [critical]");
    CHECK(report.verdict[2] == "2 findings, the worst critical");
}

TEST_CASE("recovery is a notice; what cannot be told any more is a warning") {
    const auto map = check_map();
    const Report recovered = compare(map, {{"A", 2}, {"B", 1}}, {{"A", 1}, {"B", 1}});
    CHECK(named(recovered.checks, "a")->severity == Severity::notice);
    const Report open = compare(map, {{"A", 1}, {"B", 1}}, {{"B", 1}});
    REQUIRE(named(open.checks, "a") != nullptr);
    CHECK(named(open.checks, "a")->after == "not evaluated");
    CHECK(named(open.checks, "a")->severity == Severity::warning);
    CHECK_THAT(named(open.checks, "a")->found, Catch::Contains("A: "));
    const Report applies = compare(map, {{"A", 1}, {"B", 1}}, {{"A", 1}, {"B", 5}});
    CHECK(named(applies.checks, "c")->before == "not applicable");
    CHECK(named(applies.checks, "c")->after == "passed");
}

TEST_CASE("checks that stayed as they were are shown with everything only") {
    const auto map = check_map();
    CHECK(compare(map, {{"A", 2}, {"B", 1}}, {{"A", 2}, {"B", 1}}).checks.empty());
    const Report all = compare(map, {{"A", 2}, {"B", 1}}, {{"A", 2}, {"B", 1}}, true);
    CHECK(names_of(all.checks) == Names{"a", "b", "c"}); // the failed one first
    CHECK(all.findings == 0);
}

TEST_CASE("no finding says so") {
    const auto map = regmaps::test::load(registers(reg("T", 0, R"("volatility": "timestamp")")));
    CHECK(compare(map, {{"T", 1}}, {{"T", 1}}).verdict == Names{"no finding"});
    CHECK(compare(map, {{"T", 1}}, {{"T", 2}}).verdict == Names{"no finding; 1 noise"});
}

TEST_CASE("of one snapshot: all checks, the failed ones first, and what deserves a look") {
    const auto map = check_map();
    const Taken taken(map, {{{"A", 1}, {"B", 2}}}, same_boot());
    const Report report = describe(taken.evidence(), {});
    CHECK_FALSE(report.difference);
    CHECK(names_of(report.checks) == Names{"b", "a", "c"});
    CHECK(report.checks[0].before.empty());
    CHECK(report.findings == 1);
    CHECK(report.worst == Severity::notice);
    REQUIRE(report.verdict.size() == 2);
    CHECK(report.verdict[0] == "check b failed: B is one");
    CHECK(report.verdict[1] == "checks: 1 failed, 0 not evaluated, 1 passed");
}

TEST_CASE("of one snapshot: registers above ok, the worst first; counters with their rates") {
    const auto map = regmaps::test::load(registers(
        reg("OK", 0, R"("enum": {"1": {"name": "UP", "severity": "ok"}})") + "," +
        reg("WARM", 4, R"("enum": {"1": {"name": "WARM", "severity": "warning"}})") + "," +
        reg("HOT", 8, R"("enum": {"1": {"name": "HOT", "severity": "critical"}})") + "," +
        reg("N", 12, R"("volatility": "counter")") + "," + reg("ZERO", 16, R"("volatility": "counter")")));
    const Values first{{"OK", 1}, {"WARM", 1}, {"HOT", 1}, {"N", 10}, {"ZERO", 0}};
    Values second = first;
    second["N"] = 30;
    const Report report = describe(Taken(map, {first, second}, same_boot()).evidence(), {});
    CHECK(names_of(report.registers) == Names{"HOT", "WARM"});
    CHECK(report.registers[0].before.empty());
    CHECK(report.registers[0].after == "0x00000001");
    CHECK(names_of(report.counters) == Names{"N"});
    CHECK(report.counters[0].delta == "+20");
    CHECK(report.counters[0].rate == "200/s"); // in a tenth of a second
    CHECK(report.findings == 2);
    CHECK(report.verdict[0] == "HOT is 0x00000001 HOT [critical]");
}

TEST_CASE("a snapshot of which nothing could be read is still a report") {
    const auto map = check_map();
    const Taken taken(map, {}, same_boot());
    const Taken whole(map, {{{"A", 1}, {"B", 1}}}, same_boot());
    CHECK(describe(taken.evidence(), {}).registers.empty());
    const Report report = compare(whole, taken);
    CHECK(report.registers.empty());
    CHECK(report.coverage.size() == 2); // A and B: read before, and not after
    CHECK(has_findings(report));
}
