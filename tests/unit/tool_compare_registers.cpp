// Status and configuration that changed, worst first; what is noise.
#include "tool_compare_support.h"

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;

namespace {

const std::string state_enum = R"("enums": {"state": {
    "0": "IDLE", "1": {"name": "RUN", "severity": "ok"}, "2": {"name": "BUSY", "severity": "ok"},
    "3": {"name": "SLOW", "severity": "warning"}, "9": {"name": "DEAD", "severity": "critical"},
    "10": {"name": "ODD", "severity": "notice"}}})";

regmaps::RegisterMap state_map() {
    return regmaps::test::load(
        registers(reg("S", 0, R"("fields": [{"name": "CODE", "bits": "15:0", "enum": "state"},
                                  {"name": "N", "bits": "31:16", "display": "dec"}])"),
                  state_enum));
}

} // namespace

TEST_CASE("a snapshot does not differ from itself") {
    const auto map = state_map();
    CHECK(is_empty(compare(map, {{"S", 0x9}}, {{"S", 0x9}})));
    CHECK(is_empty(compare(map, {{"S", 0x9}}, {{"S", 0x9}}, true)));
    CHECK_FALSE(has_findings(compare(map, {{"S", 0x9}}, {{"S", 0x9}})));
}

TEST_CASE("a field's change has enum names, changed bits and the severity that it went to") {
    const auto map = state_map();
    const Report report = compare(map, {{"S", 0x00050001}}, {{"S", 0x00050009}});
    REQUIRE(report.registers.size() == 1);
    const ReportRegister& reg = report.registers[0];
    CHECK(reg.name == "S");
    CHECK(reg.space == "mem");
    CHECK(reg.before == "0x00050001");
    CHECK(reg.after == "0x00050009");
    CHECK(reg.changed_bits == 0x8);
    CHECK(reg.severity == Severity::critical);
    CHECK(changes(report) == Names{"S.CODE: 0x0001 RUN -> 0x0009 DEAD"});
    REQUIRE(reg.fields.size() == 2);
    CHECK(reg.fields[0].name == "N"); // from the highest bit down, unchanged ones too
    CHECK_FALSE(reg.fields[0].changed);
    CHECK(reg.fields[0].after == "5");
    CHECK(report.findings == 1);
    CHECK(report.worst == Severity::critical);
    CHECK(has_findings(report));
    REQUIRE_FALSE(report.verdict.empty());
    CHECK(report.verdict[0] == "S.CODE went from 0x0001 RUN to 0x0009 DEAD [critical]");
}

TEST_CASE("what a change is worth") {
    const auto map = state_map();
    const auto worth = [&](std::uint64_t before, std::uint64_t after) {
        const Report report = compare(map, {{"S", before}}, {{"S", after}});
        REQUIRE(report.registers.size() == 1);
        return report.registers[0].severity;
    };
    CHECK(worth(1, 3) == Severity::warning);  // ok to warning
    CHECK(worth(3, 9) == Severity::critical); // worse still
    CHECK(worth(9, 3) == Severity::warning);  // better, but not well
    CHECK(worth(9, 1) == Severity::notice);   // recovered
    CHECK(worth(1, 2) == Severity::ok);       // well both times
    CHECK(worth(10, 1) == Severity::ok);
    CHECK(worth(1, 0) == Severity::notice); // nobody says what it means
    CHECK(worth(1, 0x77) == Severity::notice);
    CHECK(worth(0x10000, 0x20000) == Severity::notice);
}

TEST_CASE("volatility decides") {
    const auto map = regmaps::test::load(registers(
        reg("CONST", 0, R"("volatility": "constant")") + "," + reg("CONF", 4, R"("volatility": "config")") +
        "," + reg("TIME", 8, R"("volatility": "timestamp")") + "," +
        reg("MIX", 12,
            R"("fields": [{"name": "STAMP", "bits": "31:16", "volatility": "timestamp"},
                          {"name": "ID", "bits": "15:0", "volatility": "constant"}])")));
    const Values before{{"CONST", 1}, {"CONF", 1}, {"TIME", 1}, {"MIX", 0x00010001}};
    const Values after{{"CONST", 2}, {"CONF", 2}, {"TIME", 2}, {"MIX", 0x00020001}};
    const Report report = compare(map, before, after);
    CHECK(names_of(report.registers) == Names{"CONST", "CONF"}); // the warning first
    CHECK(report.registers[0].severity == Severity::warning);
    CHECK(report.registers[1].severity == Severity::notice);
    CHECK(report.findings == 2);
    CHECK(report.noise == 2);
    const Report all = compare(map, before, after, true);
    CHECK(names_of(all.registers) == Names{"CONST", "CONF", "TIME", "MIX"}); // noise comes last
    CHECK(all.registers[2].noise);
    CHECK_FALSE(all.registers[2].remark.empty());
    CHECK(all.findings == 2);
    CHECK(all.noise == 2);
}

TEST_CASE("what moves within a snapshot is noise, unless its severity changed") {
    const auto map = state_map();
    const Taken still(map, {{{"S", 0x00010001}}, {{"S", 0x00010001}}}, same_boot());
    const Taken moving(map, {{{"S", 0x00020001}}, {{"S", 0x00030001}}}, same_boot());
    const Report report = compare(still, moving);
    CHECK(report.registers.empty());
    CHECK(report.noise == 1);
    const Report reverse = compare(moving, still);
    CHECK(reverse.registers.empty());
    CHECK(reverse.noise == 1);
    const Report all = compare(still, moving, true);
    REQUIRE(all.registers.size() == 1);
    CHECK(all.registers[0].moving);
    // It died between the passes.
    const Taken dying(map, {{{"S", 0x00010001}}, {{"S", 0x00010009}}}, same_boot());
    const Report died = compare(still, dying);
    REQUIRE(died.registers.size() == 1);
    CHECK(died.registers[0].severity == Severity::critical);
    // Bits that move do not hide others that changed.
    const Taken both(map, {{{"S", 0x00020003}}, {{"S", 0x00030003}}}, same_boot());
    CHECK(changes(compare(still, both)) == Names{"S.N: 1 -> 3", "S.CODE: 0x0001 RUN -> 0x0003 SLOW"});
    CHECK(compare(still, both).registers[0].severity == Severity::warning);
}

TEST_CASE("bits that nothing names are compared too") {
    const auto map =
        regmaps::test::load(registers(reg("R", 0, R"("fields": [{"name": "A", "bits": "7:0"}])")));
    const Report report = compare(map, {{"R", 0x00000001}}, {{"R", 0x00000101}});
    CHECK(changes(report) == Names{"R.: 0x000000 -> 0x000001"});
    CHECK(report.registers[0].severity == Severity::notice);
    const Report back = compare(map, {{"R", 0x00000101}}, {{"R", 0x00000001}});
    CHECK(changes(back) == Names{"R.: 0x000001 -> 0x000000"});
}

TEST_CASE("a register without fields has the names of its own enum") {
    const auto map = regmaps::test::load(
        registers(reg("W", 0, R"("width": 16, "enum": {"1": {"name": "UP", "severity": "ok"},
                                             "2": {"name": "DOWN", "severity": "warning"}})")));
    const Report report = compare(map, {{"W", 1}}, {{"W", 2}});
    CHECK(changes(report) == Names{"W.(value): 0x0001 UP -> 0x0002 DOWN"});
    CHECK(report.registers[0].severity == Severity::warning);
    CHECK(report.registers[0].before == "0x0001");
}

TEST_CASE("the worst comes first, then the order of the map") {
    std::string list;
    for (const char* name : {"A", "B", "C", "D"}) {
        list += (list.empty() ? "" : ",") +
                reg(name, static_cast<unsigned>(name[0] - 'A') * 4, R"("enum": "state")");
    }
    const auto map = regmaps::test::load(registers(list, state_enum));
    const Report report =
        compare(map, {{"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}}, {{"A", 0}, {"B", 9}, {"C", 3}, {"D", 9}});
    CHECK(names_of(report.registers) == Names{"B", "D", "C", "A"});
    CompareOptions few;
    few.most_entries = 2;
    const Taken before(map, {{{"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}}}, same_boot());
    const Taken after(map, {{{"A", 0}, {"B", 9}, {"C", 3}, {"D", 9}}}, same_boot());
    const Report cut = tool::compare(before.evidence(), after.evidence(), few);
    CHECK(names_of(cut.registers) == Names{"B", "D"});
    CHECK(cut.findings == 4); // counted all the same
    CHECK(cut.truncated);
    CHECK_FALSE(cut.warnings.empty());
}

TEST_CASE("elements of arrays are matched by index, also where the other has fewer") {
    const auto map = regmaps::test::load(registers(reg("N", 0, R"("volatility": "config")") + "," +
                                                   reg("Q", 16, R"("array": {"count": "N", "stride": 4})")));
    const Report report =
        compare(map, {{"N", 3}, {"Q[0]", 1}, {"Q[1]", 2}, {"Q[2]", 3}}, {{"N", 2}, {"Q[0]", 1}, {"Q[1]", 5}});
    CHECK(names_of(report.registers) == Names{"N", "Q[1]"});
    REQUIRE(report.coverage.size() == 1);
    CHECK(report.coverage[0].name == "Q[2]");
    CHECK(report.coverage[0].before == "read");
    CHECK(report.coverage[0].after == "the device has no such element");
}

TEST_CASE("with another map registers are matched by name and space, else by place and width") {
    const auto old_map =
        regmaps::test::load(registers(reg("A", 0, R"("fields": [{"name": "F", "bits": "3:0"}])") + "," +
                                      reg("OLD", 8) + "," + reg("GONE", 12)));
    const auto new_map = regmaps::test::load(
        registers(reg("X", 0) + "," + reg("A", 4, R"("fields": [{"name": "F", "bits": "7:4"}])") + "," +
                  reg("NEW", 8)));
    const Taken before(old_map, {{{"A", 0x3}, {"OLD", 1}, {"GONE", 7}}}, same_boot());
    Taken after(new_map, {{{"X", 0x5}, {"A", 0x30}, {"NEW", 2}}}, same_boot());
    after.snapshot().map_sha256 = "bb";
    const Report report = compare(before, after);
    // A.F is 3 in both, wherever it lies; OLD and NEW are one register; GONE and X have no partner.
    CHECK(names_of(report.registers) == Names{"NEW"});
    CHECK(names_of(report.coverage) == Names{"X", "GONE"});
    CHECK(report.coverage[1].after == "map test 1 has no such register");
    CHECK(report.coverage[1].remark == "0x00000007");
    REQUIRE_FALSE(report.warnings.empty());
    CHECK_THAT(report.warnings[0], Catch::Contains("map"));
}

TEST_CASE("the tree has every register, also those that were not read") {
    const auto map = regmaps::test::load(registers(
        reg("A", 0) + "," + reg("B", 4) + R"(,{"name": "CLR", "offset": 8, "readAction": "clear"})"));
    const Taken before(map, {{{"A", 1}, {"B", 1}}}, same_boot());
    const Taken after(map, {{{"A", 1}, {"B", 2}}}, same_boot());
    CompareOptions options;
    CHECK(tool::compare(before.evidence(), after.evidence(), options).tree.empty());
    options.tree = true;
    const Report report = tool::compare(before.evidence(), after.evidence(), options);
    CHECK(names_of(report.tree) == Names{"A", "B", "CLR"});
    CHECK_FALSE(report.tree[0].changed);
    CHECK(report.tree[1].changed);
    CHECK(report.tree[2].before.empty());
    CHECK_FALSE(report.tree[2].before_reason.empty());
    const Report one = describe(after.evidence(), options);
    CHECK(names_of(one.tree) == Names{"A", "B", "CLR"});
    CHECK(one.tree[1].after == "0x00000002");
    CHECK(one.tree[2].after.empty());
    CHECK_FALSE(one.tree[2].after_reason.empty());
}
