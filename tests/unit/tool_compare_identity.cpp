// Who the snapshots are of comes first.
#include "tool_compare_support.h"

using namespace barscope;
using namespace barscope::tool;
using namespace barscope::tool::test;
using nlohmann::json;

namespace {

const json head = json::parse(R"({
  "created": {"time": "2026-11-30T10:00:00Z", "monotonicNs": "5000000000"}, "label": "before",
  "tool": {"name": "barscope", "version": "0.1.0"},
  "host": {"bootId": "b1", "hostName": "node7", "kernel": "6.12.1", "architecture": "x86_64"},
  "device": {"address": "0000:3b:00.0", "vendor": "0x14e4", "device": "0x1750", "revision": "0x11",
             "serial": "00-0a", "driver": {"name": "bnxt_en", "version": "1.10", "parameters": {"debug": "0"}},
             "firmware": {"fw": "230.0", "ncsi": "1"}, "link": {"speed": "16.0 GT/s", "width": "16"}}})");

Report of_heads(const json& first, const json& second) {
    const auto map = regmaps::test::load(registers(reg("R", 0)));
    return compare(Taken(map, {{{"R", 1}}}, first), Taken(map, {{{"R", 1}}}, second));
}

json with(const std::string& pointer, const json& value) {
    json out = head;
    out[json::json_pointer(pointer)] = value;
    return out;
}

} // namespace

TEST_CASE("the same device: nothing to say") {
    const Report report = of_heads(head, head);
    CHECK(is_empty(report));
    CHECK(report.warnings.empty());
    REQUIRE(report.subjects.size() == 2);
    const ReportSubject& subject = report.subjects[0];
    CHECK(subject.file == "x.json");
    CHECK(subject.created == "2026-11-30T10:00:00Z");
    CHECK(subject.label == "before");
    CHECK(subject.host == "node7");
    CHECK(subject.address == "0000:3b:00.0");
    CHECK(subject.ids == "14e4:1750 rev 0x11");
    CHECK(subject.driver == "bnxt_en");
    CHECK(subject.driver_version == "1.10");
    CHECK(subject.firmware == "fw 230.0, ncsi 1");
    CHECK(subject.map == "test 1");
    CHECK(subject.tool == "barscope 0.1.0");
    CHECK(subject.passes == 1);
}

TEST_CASE("each thing that makes another device, host, firmware or driver has a warning and a row") {
    const std::vector<std::array<std::string, 3>> cases{
        {"/device/address", "0000:5e:00.0", "address"},
        {"/device/vendor", "0x8086", "vendor"},
        {"/device/device", "0x1751", "device"},
        {"/device/revision", "0x12", "revision"},
        {"/device/serial", "00-0b", "serial number"},
        {"/host/hostName", "node8", "host"},
        {"/host/kernel", "6.12.2", "kernel"},
        {"/device/driver/name", "vfio-pci", "driver"},
        {"/device/driver/version", "1.11", "driver version"},
        {"/device/driver/parameters/debug", "1", "module parameter debug"},
        {"/device/firmware/fw", "231.0", "firmware fw"},
    };
    for (const auto& [pointer, value, name] : cases) {
        INFO(pointer);
        const Report report = of_heads(head, with(pointer, value));
        CHECK(names_of(report.identity) == Names{name});
        CHECK(report.identity[0].after == value);
        CHECK(report.identity[0].severity == Severity::warning);
        REQUIRE(report.warnings.size() == 1);
        CHECK_THAT(report.warnings[0], Catch::Contains(value));
        CHECK(report.findings == 1);
    }
}

TEST_CASE("what one does not tell is not known, not empty") {
    json bare = head;
    bare["device"].erase("serial");
    const Report report = of_heads(head, bare);
    CHECK(names_of(report.identity) == Names{"serial number"});
    CHECK(report.identity[0].after == "not known");
    CHECK(report.identity[0].severity == Severity::notice);
    CHECK(report.warnings.empty());
    // A head without anything, or of the wrong form, is no reason to fail.
    for (const char* odd : {"null", "[]", "{}", R"({"device": [], "host": "x", "logs": {}, "context": 1})"}) {
        CHECK_FALSE(of_heads(json::parse(odd), json::parse(odd)).difference == false);
    }
}

TEST_CASE("an edited file, one without integrity, and a boot between are said") {
    const auto map = regmaps::test::load(registers(reg("R", 0)));
    const Taken before(map, {{{"R", 1}}}, head);
    Taken after(map, {{{"R", 1}}}, head);
    after.snapshot().integrity = {IntegrityState::changed, {"captures", "device"}, ""};
    const Report edited = compare(before, after);
    REQUIRE(edited.warnings.size() == 1);
    CHECK_THAT(edited.warnings[0], Catch::Contains("edited") && Catch::Contains("captures, device"));
    CHECK(describe(after.evidence(), {}).warnings.size() == 1);
    after.snapshot().integrity = {};
    CHECK_THAT(compare(before, after).warnings.at(0), Catch::Contains("integrity"));
    const Report booted = of_heads(head, with("/host/bootId", "b2"));
    CHECK_THAT(booted.warnings.at(0), Catch::Contains("booted"));
    Taken map2(map, {{{"R", 1}}}, head);
    map2.snapshot().map_version = "2";
    CHECK(names_of(compare(before, map2).identity) == Names{"map"});
    map2.snapshot().map_version = "1";
    map2.snapshot().map_sha256 = "bb";
    CHECK(names_of(compare(before, map2).identity) == Names{"map content"});
}

TEST_CASE("a link that came back slower is told with the settings") {
    const Report report = of_heads(head, with("/device/link/speed", "8.0 GT/s"));
    CHECK(names_of(report.context) == Names{"device: link speed"});
    CHECK(report.context[0].severity == Severity::warning);
    CHECK(report.identity.empty());
}
