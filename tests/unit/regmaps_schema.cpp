// The JSON Schema says what the loader says, as far as a schema can.
#include "regmaps_loader_support.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <regmaps/schema.h>

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

// Refused by both, at the same place.
void both_refuse(std::string text, const std::string& pointer) {
    const std::string where = take_mark(text, pointer, "test.json");
    INFO(text);
    const auto valid = validate_against_schema(text, "test.json");
    REQUIRE_FALSE(valid.has_value());
    CHECK(valid.error().cause == "map-schema");
    CHECK(valid.error().where == where);
    CHECK_FALSE(load_text(text).has_value());
}

} // namespace

TEST_CASE("every built-in map is valid") {
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(BARSCOPE_SOURCE_DIR "/regmaps/definitions")) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        const auto valid = validate_against_schema(text, entry.path().string());
        INFO((valid ? std::string() : to_string(valid.error())));
        CHECK(valid.has_value());
        ++count;
    }
    CHECK(count >= 1);
}

TEST_CASE("a map that uses everything is valid, and loads") {
    const std::string text = map_text(R"("$schema": "x", "description": "", "x-any": {"a": [1]},
        "match": [{"vendor": 1, "device": ["0x2", 3], "class": {"mask": "0xff0000", "value": "0x020000"}}],
        "spaces": [{"name": "m", "bar": "0", "base": 0, "size": "0x1000", "byteOrder": "big", "accessWidth": [8, "32", 64], "when": 1,
                    "ethtool": {"driver": ["d"], "version": {"mask": 1, "value": 1}, "sideEffectFree": true, "dumpOffset": 0},
                    "title": "", "description": "", "source": ""},
                   {"name": "w", "bar": 0, "size": 64, "window": {"select": "SEL", "value": "1 + 1", "at": 64, "size": 64}},
                   {"name": "c", "config": true, "capability": 9, "capabilityWhere": {"offset": 3, "width": 8, "value": 1}},
                   {"name": "e", "config": true, "extendedCapability": "0x0001"},
                   {"name": "d", "bar": 2, "size": 64, "ethtool": {"driver": "d", "registers": {"IN_D": 4}}}],
        "enums": {"E-1": {"0": "A", "0x1": {"name": "B", "severity": "notice", "description": ""}, "x-note": 1}},
        "registers": [
            {"name": "SEL", "offset": 0, "readAction": "none", "width": "32", "poison": [1, {"mask": 1, "value": 1}],
             "neverAllOnes": true, "group": ["a"], "volatility": "index", "modulus": 16, "unit": "", "display": "dec",
             "resetValue": "0xffffffff", "writeMask": 0, "modifiedWriteValue": "oneToClear", "byteOrder": "little",
             "title": "", "description": "", "source": "",
             "fields": [{"name": "1F", "bits": "7:0", "enum": "E-1", "access": "read-only", "readAction": "none",
                         "modifiedWriteValue": "set", "volatility": "status", "modulus": 2, "when": "G", "title": "",
                         "description": "", "source": "", "x-y": null},
                        {"name": "G", "bits": 8, "display": "scaled", "scale": 1.5, "offset": -2, "unit": "u"},
                        {"name": "H", "bits": "9", "severity": {"0": "ok", "0x1": "critical", "x-z": 0}},
                        {"name": "I", "bits": "10", "enum": {"0b1": "ON"}}]},
            {"name": "IN_D", "space": "d", "offset": 0, "readAction": "none"},
            {"name": "ALT", "offset": 0, "readAction": "none", "alternate": true, "enum": {"18446744073709": "BIG"}, "width": 64},
            {"name": "SPLIT", "offset": 12, "width": 64, "split": "hi_lo_hi", "readAction": "none", "when": "pci.isVf"},
            {"name": "WO", "offset": 32, "access": "write-only", "array": {"count": "2", "stride": 4, "index": "i"}}],
        "blocks": [{"name": "B", "space": "m", "base": "0x100", "array": {"count": 2, "stride": 64}, "when": 1, "group": "g",
                    "title": "", "description": "", "registers": [], "blocks": [{"name": "C"}]}],
        "structures": [{"name": "S-1", "size": 16, "byteOrder": "big", "fields": [
                {"name": "T", "bits": "1:0", "at": 4, "width": 16}, {"name": "R", "bytes": 8, "at": 8}],
            "variant": {"on": "T", "cases": {"0": "S-2", "0x1": "S-2"}, "default": "S-2"}, "valid": {"field": "T", "value": 1},
            "group": "g", "title": "", "description": "", "source": ""},
            {"name": "S-2", "size": 16, "fields": [{"name": "V", "bits": "0"}], "valid": {"field": "V", "phase": true}}],
        "derived": [{"name": "D", "value": "SEL + 1", "unit": "", "display": "scaled", "scale": 2, "offset": 0, "enum": "E-1",
                     "title": "", "description": "", "when": 1}],
        "checks": [{"name": "a b", "expect": "D", "severity": "notice", "meaning": "", "advice": "", "when": 1, "group": "g"}],
        "logs": [{"name": "L", "space": "m", "base": 0, "entry": "S-1", "count": 4, "producer": "SEL", "title": ""}],
        "counters": [{"name": "K", "net": "statistics/rx_dropped", "sideEffectFree": true, "unit": "", "title": "", "description": "",
                      "source": "", "x-y": 1}, {"name": "K2", "net": "carrier_down_count"}],
        "driverDumps": [{"driver": "drv", "sideEffectFree": false, "title": "", "description": "", "source": ""}])");
    const auto valid = validate_against_schema(text, "test.json");
    INFO((valid ? std::string() : to_string(valid.error())));
    CHECK(valid.has_value());
    must_load(text);
}

TEST_CASE("what the schema can say it says where the loader says it") {
    both_refuse(bar_map(R"("registers": [{"name": @@"A B", "offset": 0, "readAction": "none"}])"),
                "/registers/0/name");
    both_refuse(bar_map(R"("registers": [{"name": "A", "offset": 0, "readAction": @@"nothing"}])"),
                "/registers/0/readAction");
    both_refuse(bar_map(R"("registers": [@@{"name": "A", "readAction": "none"}])"), "/registers/0");
    both_refuse(bar_map(R"("checks": [{"name": "A", "expect": @@true}])"), "/checks/0/expect");
    both_refuse(bar_map(R"("counters": [{"name": "K", "net": @@"../device/resource0"}])"), "/counters/0/net");
    both_refuse(bar_map(R"("counters": [{"name": "K", "net": @@"statistics/"}])"), "/counters/0/net");
    both_refuse(bar_map(R"("counters": [@@{"name": "K"}])"), "/counters/0");
    both_refuse(bar_map(R"("driverDumps": [{"driver": @@""}])"), "/driverDumps/0/driver");
    both_refuse(bar_map("\"registers\": @@{}"), "/registers");
    both_refuse("@@[]", "(document)");
}

TEST_CASE("unknown keys are refused by both") {
    for (const std::string body :
         {R"("oops": 1)", R"("registers": [{"name": "A", "offset": 0, "readAction": "none", "oops": 1}])",
          R"("match": [{"oops": 1}])", R"("blocks": [{"name": "B", "oops": 1}])",
          R"("enums": {"E": {"oops": "X"}})", R"("derived": [{"name": "D", "value": 1, "oops": 1}])"}) {
        const std::string text = bar_map(body);
        INFO(text);
        CHECK_FALSE(validate_against_schema(text, "test.json").has_value());
        CHECK_FALSE(load_text(text).has_value());
    }
}

TEST_CASE("hostile texts do not bring the validator down") {
    const std::string huge(200'000, 'a');
    // As a name, as an unknown key, as free text.
    // The schema sees the beginning of a text; the loader sees all of it.
    const std::string name = bar_map("\"registers\": [{\"name\": \"" + huge + "!\", \"offset\": 0}]");
    (void)validate_against_schema(name, "t");
    CHECK_FALSE(load_text(name).has_value());
    CHECK_FALSE(validate_against_schema(bar_map("\"" + huge + "\": 1"), "t").has_value());
    CHECK(validate_against_schema(bar_map("\"description\": \"" + huge + "\""), "t").has_value());
    CHECK_FALSE(validate_against_schema(std::string(100'000, '['), "t").has_value());
    CHECK_FALSE(validate_against_schema("{", "t").has_value());
    CHECK_FALSE(validate_against_schema("", "t").has_value());
}

TEST_CASE("the schema is at hand") {
    CHECK_THAT(std::string(schema_text()), Catch::StartsWith("{") && Catch::Contains("draft-07"));
}
