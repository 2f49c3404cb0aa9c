// A table that is read over and over: each record is shown once, and none that was lost in between is hidden.
#include <catch2/catch.hpp>

#include <logs/follow_table.h>

using namespace barscope;
using namespace barscope::tool;

namespace {

const fwlog::PatternSet& patterns() {
    static const fwlog::PatternSet set = std::move(*fwlog::PatternSet::built_in());
    return set;
}

// What a look shows: numbers, "gap N", or the row.
std::vector<std::string> look(FollowedTable& table, const std::string& rows) {
    std::vector<std::string> shown;
    table.look_at(rows, [&](const fwlog::Record& record) {
        shown.push_back(record.kind == fwlog::RecordKind::gap ? "gap " + std::to_string(record.lost)
                        : record.sequence                     ? std::to_string(*record.sequence)
                                                              : std::string(record.raw));
    });
    return shown;
}

using List = std::vector<std::string>;
const std::string head = "SEQ CODE DATA\n";

} // namespace

TEST_CASE("a growing table: what is new") {
    FollowedTable table("t", patterns());
    CHECK(look(table, head + "1 0x12 0x1\n2 0x13 0x2\n") == List{"SEQ CODE DATA", "1", "2"});
    CHECK(look(table, head + "1 0x12 0x1\n2 0x13 0x2\n").empty());
    CHECK(look(table, head + "1 0x12 0x1\n2 0x13 0x2\n3 0x12 0x3\n") == List{"3"});
    CHECK(look(table, head + "1 0x12 0x1\n2 0x13 0x2\n3 0x12 0x3\njunk\n") == List{"junk"});
}

TEST_CASE("a table that forgets its oldest rows: rows lost between two looks are told") {
    FollowedTable table("t", patterns());
    look(table, head + "1 0x12 0x1\n2 0x13 0x2\n");
    CHECK(look(table, head + "2 0x13 0x2\n3 0x12 0x3\n") == List{"3"});
    CHECK(look(table, head + "7 0x13 0x2\n8 0x12 0x3\n") == List{"gap 3", "7", "8"});
}

TEST_CASE("a table whose counter wraps, and one that begins anew") {
    FollowedTable table("t", patterns());
    look(table, head + "65535 0x12 0x1\n");
    CHECK(look(table, head + "65535 0x12 0x1\n0 0x12 0x1\n1 0x12 0x2\n") == List{"0", "1"});
    look(table, head + "1000 0x12 0x1\n");
    CHECK(look(table, head + "5 0x12 0x1\n6 0x12 0x2\n") == List{"SEQ CODE DATA", "5", "6"});
}

TEST_CASE("a table that is not there is no failure, and is shown once it comes") {
    FollowedTable table("/nonexistent/barscope/fwlog", patterns());
    table.look([](const fwlog::Record&) { FAIL("nothing is there"); });
    CHECK(look(table, head + "1 0x12 0x1\n").size() == 2);
}
