// Log records that are new in AFTER.
#include "tool_compare_support.h"

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;
using nlohmann::json;

namespace {

// "others": how many records of other devices were left out.
json log(const std::string& format, const std::vector<std::string>& rows, unsigned others = 0) {
    return {{"name", "kernel log"}, {"source", "/dev/kmsg"}, {"status", "read"}, {"format", format},
            {"rows", rows},         {"omitted", 0},          {"others", others}};
}

Taken with_log(const regmaps::RegisterMap& map, const json& entry, const std::string& boot = "b1") {
    return Taken(map, {{{"R", 1}}}, {{"host", {{"bootId", boot}}}, {"logs", json::array({entry})}});
}

Report of_logs(const json& before, const json& after, bool all = false, const std::string& boot = "b1") {
    const auto map = regmaps::test::load(registers(reg("R", 0)));
    return compare(with_log(map, before), with_log(map, after, boot), all);
}

Names texts(const Report& report) {
    Names out;
    for (const ReportLogRecord& record : report.logs) {
        out.push_back(record.text);
    }
    return out;
}

// PRIORITY,SEQUENCE,MICROSECONDS,FLAGS;MESSAGE (Documentation/ABI/testing/dev-kmsg); 3 is an error, 6 info, 2
// critical.
const std::string up = "6,100,5000000,-;link is up";
const std::string err = "3,101,6500000,-;command timed out";
const std::string crit = "2,102,7000000,-;firmware died\n SUBSYSTEM=pci";

} // namespace

TEST_CASE("the kernel's records are new by their sequence number") {
    const Report report = of_logs(log("kmsg", {up}), log("kmsg", {up, err, crit}));
    CHECK(texts(report) == Names{"command timed out", "firmware died"});
    CHECK(report.logs[0].fresh);
    CHECK(report.logs[0].severity == "error");
    CHECK(report.logs[0].seconds == 6.5);
    CHECK(report.logs[0].source == "kernel log");
    CHECK(report.findings == 2);
    CHECK(report.worst == Severity::critical);
    CHECK(report.log_summary == "2 new records: 2 errors, 0 warnings");
    REQUIRE_FALSE(report.verdict.empty());
    CHECK_THAT(report.verdict[0], Catch::Contains("firmware died") || Catch::Contains("command timed out"));
}

TEST_CASE("older records that the ring dropped are no difference, nor are the same ones") {
    CHECK(is_empty(of_logs(log("kmsg", {up, err}), log("kmsg", {err}))));
    CHECK(is_empty(of_logs(log("kmsg", {up, err}), log("kmsg", {up, err}))));
}

TEST_CASE("a new record below error is told and no finding") {
    const Report report = of_logs(log("kmsg", {}), log("kmsg", {up}));
    CHECK(texts(report) == Names{"link is up"});
    CHECK(report.findings == 0);
    CHECK_FALSE(has_findings(report));
}

TEST_CASE("after another boot the numbers begin anew: all records are new") {
    const Report report = of_logs(log("kmsg", {up, err}), log("kmsg", {up, err}), false, "b2");
    CHECK(texts(report) == Names{"link is up", "command timed out"});
}

TEST_CASE("a gap between the snapshots or within AFTER is told, where the log is whole") {
    const std::string later = "6,110,9000000,-;later";
    const std::string last = "6,113,9100000,-;last";
    const Report report = of_logs(log("kmsg", {up}), log("kmsg", {later, last}));
    CHECK(texts(report) == Names{"9 records are lost here", "later", "2 records are lost here", "last"});
    CHECK(report.logs[0].gap);
    CHECK(report.findings == 2);
    CHECK(report.log_summary == "2 new records: 0 errors, 0 warnings; 2 gaps");
    // Rows of other devices were left out: numbers are missing, and nothing is lost.
    const Report filtered = of_logs(log("kmsg", {up}, 50), log("kmsg", {later, last}, 50));
    CHECK(texts(filtered) == Names{"later", "last"});
    CHECK(filtered.findings == 0);
    // What was left out nobody has said, or that there was more than is kept.
    for (const char* missing : {"others", "omitted"}) {
        json before = log("kmsg", {up});
        json after = log("kmsg", {later, last});
        if (std::string(missing) == "others") {
            before.erase("others");
            after.erase("others");
        } else {
            before["omitted"] = after["omitted"] = 3;
        }
        CHECK(texts(of_logs(before, after)) == Names{"later", "last"});
    }
    // A gap that BEFORE had already is not new.
    const Report known = of_logs(log("kmsg", {up, later}), log("kmsg", {up, later, last}));
    CHECK(texts(known) == Names{"2 records are lost here", "last"});
}

TEST_CASE("other logs: by text and stamp, each as often as it is there") {
    const Report report = of_logs(log("rows", {"[    1.000000] again", "[    1.000000] again"}),
                                  log("rows", {"[    1.000000] again", "[    2.000000] again",
                                               "[    1.000000] again", "[    1.000000] again"}));
    CHECK(texts(report) == Names{"again", "again"});
    CHECK(report.logs[0].seconds == 2);
    CHECK(report.logs[1].seconds == 1);
}

TEST_CASE("a log that BEFORE does not have is no news; its rows are not judged") {
    json failed = log("kmsg", {});
    failed["status"] = "failed";
    const Report report = of_logs(failed, log("kmsg", {err}));
    CHECK(report.logs.empty());
    CHECK(names_of(report.coverage) == Names{"log kernel log"});
}

TEST_CASE("with everything shown old records are there and are not fresh") {
    const Report report = of_logs(log("kmsg", {up}), log("kmsg", {up, err}), true);
    CHECK(texts(report) == Names{"link is up", "command timed out"});
    CHECK_FALSE(report.logs[0].fresh);
    CHECK(report.logs[1].fresh);
}

TEST_CASE("one snapshot's log") {
    const auto map = regmaps::test::load(registers(reg("R", 0)));
    const Report report = describe(with_log(map, log("kmsg", {up, err})).evidence(), {});
    CHECK(texts(report) == Names{"link is up", "command timed out"});
    CHECK(report.log_summary == "2 records: 1 error, 0 warnings");
    CHECK(report.findings == 1);
}

TEST_CASE("rows that cannot be parsed are kept, whatever they are") {
    const Report report = of_logs(log("kmsg", {}), log("kmsg", {"no form at all", "9,x;", "\xff\xfe"}));
    CHECK(report.logs.size() == 3);
    const Report strange = of_logs(log("no-such-format", {}), log("no-such-format", {"a", "b"}));
    CHECK(strange.logs.size() == 2);
}
