// Reports as JSON: another parser reads them and finds what was put in.
#include "tool_report_support.h"

#include <nlohmann/json.hpp>

#include <render/report_json.h>
#include <samples.h>

using namespace barscope::tool;
using nlohmann::json;

namespace {

json json_of(const Report& report) {
    return json::parse(rendered([&](Output& out) { render_report_json(out, report); }));
}

} // namespace

TEST_CASE("Report as JSON: a difference") {
    const json report = json_of(samples::difference());
    CHECK(report["report"] == "difference");
    CHECK(report["findings"] == 6);
    CHECK(report["noiseLeftOut"] == 34);
    CHECK(report["severity"] == "critical");
    CHECK(report["subjects"][1]["label"] == "after the outage");
    CHECK_FALSE(report["subjects"][0].contains("label"));
    const json& status = report["registers"][0];
    CHECK(status["name"] == "FW.FW_STATUS");
    CHECK(status["before"] == "0x00008000");
    CHECK(status["after"] == "0x0001c00d");
    CHECK(status["changedBits"] == "0x1400d");
    CHECK(status["offset"] == "0x3100");
    CHECK(status["fields"][3] == json({{"name", "CODE"},
                                       {"msb", 15},
                                       {"lsb", 0},
                                       {"before", "0x8000 READY"},
                                       {"after", "0xc00d CRASH"},
                                       {"severity", "critical"},
                                       {"changed", true}}));
    const json& gone = report["registers"][3];
    CHECK(gone["after"].is_null());
    CHECK(gone["afterReason"] == "the device does not answer");
    CHECK(report["counters"][2]["stalled"] == true);
    CHECK(report["counters"][2]["index"] == true);
    CHECK(report["logs"][0]["nanoseconds"] == 120004512000);
    CHECK_FALSE(report["logs"][0].contains("fresh"));
}

TEST_CASE("Report as JSON: one snapshot has values") {
    const json report = json_of(samples::snapshot());
    CHECK(report["report"] == "snapshot");
    CHECK(report["registers"][0]["value"] == "0x0001c00d");
    CHECK_FALSE(report["registers"][0].contains("before"));
    CHECK(report["context"][0]["value"] == "200");
}

TEST_CASE("Report as JSON: the tree says what registers share once") {
    const json report = json_of(samples::large(64));
    const json& tree = report["tree"];
    REQUIRE(tree["registers"].size() == 64);
    CHECK(tree["shapes"].size() == 16);
    for (std::size_t i = 0; i < 64; ++i) {
        const json& reg = tree["registers"][i];
        const json& shape = tree["shapes"][reg["shape"].get<std::size_t>()];
        CHECK(shape["title"] == "Register " + std::to_string(i % 16) + " of a queue");
        REQUIRE(shape["fields"].size() == reg["fields"].size());
        CHECK(shape["fields"][3] == json({{"name", "FIELD0"}, {"msb", 7}, {"lsb", 0}}));
    }
    const json& changed = tree["registers"][7];
    CHECK(changed["before"] == "0x00000007");
    CHECK(changed["after"] == "0x00008007");
    CHECK(changed["fields"] ==
          json({"0x00", "0x00", {{"before", "0x00"}, {"after", "0x80"}, {"changed", true}}, "0x07"}));
    CHECK(tree["registers"][8]["value"] == "0x00000008");
    CHECK_FALSE(report["tree"].contains("title"));
    CHECK_FALSE(json_of(Report{}).contains("tree"));
}

TEST_CASE("Report as JSON: a field that is no longer read is not the same as one that never was") {
    const json tree = json_of(samples::difference())["tree"];
    CHECK(tree["registers"][3]["fields"][1] == json({{"before", "1 yes"}, {"after", nullptr}}));
}

TEST_CASE("Report as JSON: outside text comes back as it was") {
    const std::string text = samples::hostile_text();
    const json report = json_of(samples::hostile(text));
    CHECK(report["verdict"] == json({text, text, text}));
    CHECK(report["registers"][0]["fields"][0]["name"] == text);
    CHECK(report["logs"][1]["text"] == text);
    CHECK(report["tree"]["shapes"][0]["space"] == text);
    CHECK(report["tree"]["registers"][0]["fields"][0]["after"] == text + "2");
    // Bytes that are not UTF-8 are not JSON either: they are spelled out.
    CHECK(json_of(samples::hostile("a\xff"))["verdict"][0] == "a\\xff");
}

TEST_CASE("Report as JSON: a register takes little room") {
    const std::string text = rendered([](Output& out) { render_report_json(out, samples::large(20'000)); });
    CHECK(text.size() < std::size_t{20'000} * 200);
}
