// What holds for any map and any values: a hundred of each.
#include "tool_compare_support.h"

#include <random>
#include <set>

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;

namespace {

using Random = std::mt19937;

unsigned below(Random& random, unsigned limit) {
    return static_cast<unsigned>(random() % limit);
}

std::string random_field(Random& random, unsigned number, unsigned lsb) {
    static const std::vector<std::string> volatilities{"constant", "config", "status",
                                                       "counter",  "index",  "timestamp"};
    std::string text = R"({"name": "F)" + std::to_string(number) + R"(", "bits": ")" +
                       std::to_string(lsb + 1 + below(random, 6)) + ":" + std::to_string(lsb) +
                       R"(", "volatility": ")" + volatilities[below(random, 6)] + "\"";
    if (below(random, 3) == 0) {
        text += R"(, "enum": "state")";
    }
    return text + "}";
}

// Up to 40 registers of up to 4 fields, some of them arrays.
std::string random_map(Random& random) {
    std::string list;
    const unsigned count = 1 + below(random, 40);
    for (unsigned i = 0; i < count; ++i) {
        std::string fields;
        for (unsigned f = 0, total = below(random, 5); f < total; ++f) {
            fields += (f == 0 ? "" : ",") + random_field(random, f, f * 8);
        }
        std::string more = fields.empty() ? R"("volatility": "counter")" : "\"fields\": [" + fields + "]";
        if (below(random, 4) == 0) {
            more += R"(, "array": {"count": 3, "stride": 4})";
        }
        list += (i == 0 ? "" : ",") + reg("R" + std::to_string(i), i * 16, more);
    }
    return registers(list, R"("enums": {"state": {"0": {"name": "A", "severity": "ok"},
        "1": {"name": "B", "severity": "warning"}, "2": {"name": "C", "severity": "critical"}}})");
}

Values random_values(Random& random, const regmaps::RegisterMap& map) {
    regmaps::test::TestDevice device;
    Values values;
    for (const std::string& name : regmaps::test::names(map, device.must_place(map))) {
        if (below(random, 10) != 0) { // others are lost
            values[name] = below(random, 2) == 0 ? below(random, 4) : static_cast<std::uint32_t>(random());
        }
    }
    return values;
}

std::set<std::string> registers_of(const Report& report) {
    std::set<std::string> out;
    for (const ReportRegister& found : report.registers) {
        out.insert(found.name);
    }
    return out;
}

std::set<std::string> rows_of(const std::vector<ReportRow>& rows) {
    std::set<std::string> out;
    for (const ReportRow& row : rows) {
        out.insert(row.name);
    }
    return out;
}

} // namespace

TEST_CASE("a snapshot is equal to itself, and a difference has the same registers both ways") {
    for (unsigned seed = 0; seed < 100; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const auto map = regmaps::test::load(random_map(random));
        const Values first = random_values(random, map);
        const Values second = random_values(random, map);
        const Taken before(map, {first}, same_boot());
        const Taken after(map, {second}, same_boot());
        REQUIRE_FALSE(has_findings(compare(before, before)));
        REQUIRE(compare(before, before).registers.empty());
        REQUIRE(compare(before, before).counters.empty());
        for (const bool all : {false, true}) {
            const Report there = compare(before, after, all);
            const Report back = compare(after, before, all);
            REQUIRE(registers_of(there) == registers_of(back));
            REQUIRE(rows_of(there.coverage) == rows_of(back.coverage));
        }
    }
}

TEST_CASE("each register whose words differ is told as a register or a counter, and no other") {
    for (unsigned seed = 100; seed < 200; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const auto map = regmaps::test::load(random_map(random));
        const Values first = random_values(random, map);
        Values second = first;
        std::set<std::string> differ;
        for (auto& [name, value] : second) {
            if (below(random, 3) == 0) {
                value ^= 1U + below(random, 0xffffff);
                differ.insert(name);
            }
        }
        const Report report =
            compare(Taken(map, {first}, same_boot()), Taken(map, {second}, same_boot()), true);
        std::set<std::string> told = registers_of(report);
        for (const ReportCounter& counter : report.counters) {
            told.insert(counter.name.substr(0, counter.name.find('.')));
        }
        REQUIRE(told == differ);
        // Old and new are what was given, and the marked bits are those that differ.
        for (const ReportRegister& found : report.registers) {
            REQUIRE(found.changed_bits == (first.at(found.name) ^ second.at(found.name)));
        }
    }
}

TEST_CASE("what counts is counted alike with and without the noise shown") {
    for (unsigned seed = 200; seed < 250; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const auto map = regmaps::test::load(random_map(random));
        const Taken before(map, {random_values(random, map), random_values(random, map)}, same_boot());
        const Taken after(map, {random_values(random, map), random_values(random, map)}, same_boot());
        const Report brief = compare(before, after);
        const Report all = compare(before, after, true);
        REQUIRE(brief.findings == all.findings);
        REQUIRE(brief.noise == all.noise);
        REQUIRE(brief.worst == all.worst);
        REQUIRE(brief.registers.size() + brief.counters.size() + brief.coverage.size() +
                    brief.identity.size() ==
                brief.findings);
        REQUIRE(all.registers.size() + all.counters.size() + all.coverage.size() + all.identity.size() ==
                all.findings + all.noise);
        REQUIRE(brief.verdict.size() >= 1);
        REQUIRE(brief.verdict.size() <= 3);
        // The worst first.
        for (std::size_t i = 1; i < brief.registers.size(); ++i) {
            REQUIRE(brief.registers[i - 1].severity >= brief.registers[i].severity);
        }
    }
}
