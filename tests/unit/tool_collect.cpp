// Log records kept as values: bounded, the newest, with what became of each source.
#include <catch2/catch.hpp>

#include <string>

#include <logs/collect.h>

using namespace barscope;
using namespace barscope::tool;

namespace {

const fwlog::PatternSet& patterns() {
    static const fwlog::PatternSet set = std::move(*fwlog::PatternSet::built_in());
    return set;
}

// One row in two is the device's.
LogInputs two_sources(std::size_t rows) {
    std::string kernel;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::string number = std::to_string(i);
        kernel += "6," + number + "," + number + "000,-;bnxt_en 0000:3b:00." + (i % 2 == 0 ? "0" : "1") +
                  " eth1: NIC Link is Down " + number + "\n";
    }
    LogInputs inputs;
    inputs.facts.emplace();
    inputs.names.address = "0000:3b:00.0";
    inputs.list.push_back({.name = "kernel log", .where = "/dev/kmsg", .format = fwlog::Format::kmsg});
    inputs.list.back().open =
        text_source(std::make_shared<const std::string>(kernel), fwlog::Format::kmsg, {}, patterns());
    inputs.list.push_back({.name = "table", .where = "/t", .format = fwlog::Format::table});
    inputs.list.back().open =
        text_source(std::make_shared<const std::string>("SEQ CODE DATA\n7 0x12 0x1\n9 0x13 0x2\n"),
                    fwlog::Format::table, "table", patterns());
    inputs.list.push_back({.name = "devlink health", .where = "devlink"});
    inputs.list.back().note = "no such device";
    inputs.list.push_back({.name = "ring", .where = "mem"});
    inputs.list.back().error = Error{ErrorCode::refused, "ring-sensitive", "no", "ring", {}};
    return inputs;
}

CollectedLog collected(std::size_t rows, const CollectLimits& limits) {
    const LogInputs inputs = two_sources(rows);
    fwlog::Filter filter;
    filter.device = inputs.names;
    return collect_log(inputs, filter, limits);
}

} // namespace

TEST_CASE("the device's records of all sources outlive them, and each source says what became of it") {
    const CollectedLog log = collected(4, {});
    REQUIRE(log.sources.size() == 4);
    CHECK(log.sources[0].state == SourceState::read);
    CHECK(log.sources[2].state == SourceState::absent);
    CHECK(log.sources[2].note == "no such device");
    CHECK(log.sources[3].state == SourceState::failed);
    CHECK(log.sources[3].error->cause == "ring-sensitive");
    REQUIRE(log.records.size() == 6); // 2 rows, the table's heading, 2 rows and the gap between them
    CHECK(log.others == 2);
    CHECK(log.not_kept == 0);
    CHECK(log.records[1].message == "bnxt_en 0000:3b:00.0 eth1: NIC Link is Down 2");
    CHECK(log.records[1].raw == "6,2,2000,-;bnxt_en 0000:3b:00.0 eth1: NIC Link is Down 2");
    CHECK(log.records[1].pattern->name == "link-down");
    CHECK(log.records[1].time_text == "2000");
    CHECK(log.records[3].source == "table");
    CHECK(log.records[4].kind == fwlog::RecordKind::gap);
    CHECK(log.records[5].data == std::vector<std::uint64_t>{2});
    CHECK(log.summary.gaps == 1);
    CHECK(log.summary.lost == 1);
}

TEST_CASE("the newest are kept, the summary is of all, and a short source is not pushed out by a long one") {
    const CollectedLog log = collected(2000, {.records = 10});
    CHECK(log.records.size() == 10);
    CHECK(log.not_kept == 1004 - 10);
    CHECK(log.others == 1000);
    CHECK(log.summary.by_severity.at(static_cast<std::size_t>(log.records[0].severity)) >= 1000);
    CHECK(log.records[5].message == "bnxt_en 0000:3b:00.0 eth1: NIC Link is Down 1998");
    CHECK(log.records[9].sequence == 9);
    const CollectedLog small = collected(2000, {.bytes = 2048});
    std::size_t bytes = 0;
    for (const fwlog::Record& record : small.records) {
        bytes += record.raw.size() + record.message.size();
    }
    CHECK(bytes <= 2048);
    CHECK(small.records.size() > 4);
}
