// Field case 66: what was not read is told with its reason, and is never 0.
#include "tool_compare_support.h"

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;
using safety::WordStatus;

namespace {

regmaps::RegisterMap many(unsigned count) {
    std::string list;
    for (unsigned i = 0; i < count; ++i) {
        list += (i == 0 ? "" : ",") + reg("R" + std::to_string(i), 4 * i);
    }
    return regmaps::test::load(registers(list));
}

} // namespace

TEST_CASE("equal, changed, not captured on either side, not read: all five are told apart") {
    const auto map = regmaps::test::load(
        registers(reg("EQUAL", 0) + "," + reg("CHANGED", 4) + "," + reg("ONLY_B", 8) + "," +
                  reg("ONLY_A", 12) + R"(,{"name": "CLEARS", "offset": 16, "readAction": "clear"})"));
    const Values before{{"EQUAL", 1}, {"CHANGED", 1}, {"ONLY_B", 0xab}, {"CLEARS", 0xcafe0001}};
    const Values after{{"EQUAL", 1}, {"CHANGED", 2}, {"ONLY_A", 0xcd}, {"CLEARS", 0xcafe0001}};
    const Report report = compare(map, before, after);
    CHECK(names_of(report.registers) == Names{"CHANGED"});
    CHECK(names_of(report.coverage) == Names{"ONLY_B", "ONLY_A"}); // lost in AFTER is the worse
    CHECK(report.coverage[0].before == "read");
    CHECK(report.coverage[0].remark == "0x000000ab");
    CHECK(report.coverage[0].after == safety::explain(WordStatus::lost));
    CHECK(report.coverage[0].severity == Severity::critical);
    CHECK(report.coverage[1].after == "read");
    CHECK(report.coverage[1].before == safety::explain(WordStatus::lost));
    CHECK(report.findings == 3);
    CHECK(report.noise == 1); // CLEARS
    const Report all = compare(map, before, after, true);
    const ReportRow* clears = named(all.coverage, "CLEARS");
    REQUIRE(clears != nullptr);
    CHECK(clears->noise);
    CHECK(clears->before == safety::explain(WordStatus::side_effect));
    CHECK(clears->after == clears->before);
}

TEST_CASE("a register that was not asked for in one is not captured there") {
    const auto map = many(2);
    const Taken before(map, {{{"R0", 1}, {"R1", 5}}}, same_boot());
    Taken after(map, {{{"R0", 1}, {"R1", 5}}}, same_boot());
    Evidence narrow = after.evidence();
    Capture& capture = narrow.passes[0];
    capture.raw.instances.resize(1);
    capture.raw.words.resize(1);
    capture.decoded.registers.resize(1);
    capture.shown.resize(1);
    const Report report = tool::compare(before.evidence(), narrow, {});
    REQUIRE(report.coverage.size() == 1);
    CHECK(report.coverage[0].name == "R1");
    CHECK(report.coverage[0].before == "read");
    CHECK(report.coverage[0].after == "not captured: it was not asked for");
    CHECK(report.registers.empty());
}

TEST_CASE("no status of a word is taken for a value, and none is 0") {
    const auto map = many(1);
    for (int s = 0; s <= static_cast<int>(WordStatus::window_not_selected); ++s) {
        const auto status = static_cast<WordStatus>(s);
        const Taken before(map, {{{"R0", 7}}}, same_boot());
        Taken after(map, {{{"R0", 7}}}, same_boot());
        after.status("R0", status);
        const Report report = compare(before, after);
        CHECK(report.registers.empty());
        CHECK((report.coverage.empty()) == safety::has_value(status));
        CHECK(has_findings(report) != safety::has_value(status));
        CompareOptions tree;
        tree.tree = true;
        const Report drawn = tool::compare(before.evidence(), after.evidence(), tree);
        CHECK(drawn.tree[0].after.empty() != safety::has_value(status));
        CHECK(drawn.tree[0].after_reason.empty() == safety::has_value(status));
    }
}

TEST_CASE("a device that died is one line and the verdict, not a thousand") {
    const auto map = many(1000);
    Values values;
    for (unsigned i = 0; i < 1000; ++i) {
        values["R" + std::to_string(i)] = i;
    }
    const Taken before(map, {values}, same_boot());
    Taken after(map, {values}, same_boot());
    Evidence dead = after.evidence();
    for (safety::Word& word : dead.passes[0].raw.words) {
        word.status = WordStatus::gone;
    }
    dead.passes[0].decoded = regmaps::decode(map, dead.passes[0].layout, dead.passes[0].raw, {});
    const Report report = tool::compare(before.evidence(), dead, {});
    REQUIRE(report.coverage.size() == 1);
    CHECK(report.coverage[0].name == "R0 to R999 (1000 registers of mem)");
    CHECK(report.coverage[0].severity == Severity::critical);
    REQUIRE_FALSE(report.verdict.empty());
    CHECK(report.verdict[0] == "AFTER: the device does not answer [critical]");
    CHECK(report.verdict.size() <= 3);
}

TEST_CASE("what a collector or log gave in one only") {
    const auto map = many(1);
    const auto taken = [&](const char* context, const char* logs) {
        return Taken(map, {{{"R0", 1}}},
                     nlohmann::json::parse(std::string(R"({"context": [)") + context + R"(], "logs": [)" +
                                           logs + "]}"));
    };
    const Report report =
        compare(taken(R"({"name": "ethtool -S", "status": "read", "kind": "counters", "values": {"a": "1"}})",
                      R"({"name": "kernel log", "status": "failed", "why": "EPERM"})"),
                taken(R"({"name": "ethtool -S", "status": "failed", "why": "No such device"})",
                      R"({"name": "kernel log", "status": "failed", "why": "EPERM"})"));
    CHECK(names_of(report.coverage) == Names{"collector ethtool -S"});
    CHECK(report.coverage[0].before == "read");
    CHECK(report.coverage[0].after == "failed: No such device");
    CHECK(report.context.empty());
    CHECK(report.counters.empty());
}
