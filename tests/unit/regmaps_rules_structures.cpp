// Structures, variants, and the words and bytes of their fields.
#include "regmaps_loader_support.h"

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::string structure(const std::string& fields, const std::string& members = "") {
    return map_text("\"structures\": [{\"name\": \"S\", \"size\": 16, " + members + "\n\"fields\": [" +
                    fields + "]}]");
}
const std::string at = "/structures/0/fields/";

} // namespace

TEST_CASE("a structure's fields lie in words or are bytes") {
    const RegisterMap map = must_load(structure(R"({"name": "TYPE", "bits": "5:0"},
        {"name": "LEN", "at": 2, "width": 16, "bits": "15:0", "display": "dec"},
        {"name": "ADDR", "at": 8, "width": 64, "bits": "63:0"}, {"name": "RAW", "at": 4, "bytes": 4})"));
    REQUIRE(map.fields.size() == 4);
    CHECK(map.structures[0].size == 16);
    CHECK(map.fields[0].width == 32);
    CHECK(map.fields[0].at == 0);
    CHECK(map.fields[1].at == 2);
    CHECK(map.fields[1].width == 16);
    CHECK(map.fields[2].msb == 63);
    CHECK(map.fields[3].bytes == 4);
    CHECK(map.fields[3].display == Display::bytes);
    CHECK(map.fields[3].owner == 0);

    check_bad(structure(R"(@@{"name": "F"})"), at + "0", "either \"bits\" or \"bytes\"");
    check_bad(structure(R"(@@{"name": "F", "bits": "0", "bytes": 4})"), at + "0",
              "either \"bits\" or \"bytes\"");
    check_bad(structure(R"({"name": "F", "bytes": @@0})"), at + "0/bytes", "no bytes");
    check_bad(structure(R"({"name": "F", "bytes": @@4, "enum": {"0": "A"}})"), at + "0/bytes",
              "has no value");
    check_bad(structure(R"({"name": "F", "bytes": @@4, "display": "hex"})"), at + "0/bytes", "has no value");
    check_bad(structure(R"({"name": "F", "at": @@14, "bits": "0"})"), at + "0/at", "ends at byte 18",
              "map-field-outside");
    check_bad(structure(R"(@@{"name": "F", "bytes": 17})"), at + "0", "ends at byte 17", "map-field-outside");
    check_bad(structure(R"({"name": "F", "at": 12, "width": 16, "bits": @@"16"})"), at + "0/bits", "outside",
              "map-field-outside");
    check_bad(map_text(R"("structures": [{"name": "S", "size": @@0, "fields": []}])"), "/structures/0/size",
              "no bytes");
    check_bad(map_text(R"("structures": [{"name": @@"a b", "size": 4, "fields": []}])"), "/structures/0/name",
              "cannot be a name");
    CHECK(must_load(map_text(R"("structures": [{"name": "rx-cmp_v2", "size": 4, "fields": []}])"))
              .structures.size() == 1);
}

TEST_CASE("fields of a structure overlap by the bits in memory") {
    const std::string cause = "map-fields-overlap";
    check_bad(structure("{\"name\": \"A\", \"bits\": \"15:0\"},\n{\"name\": \"B\", \"at\": 1, \"width\": 8, "
                        "\"bits\": @@\"0\"}"),
              at + "1/bits", "overlaps", cause);
    check_bad(structure("{\"name\": \"A\", \"bits\": \"31\"}, {\"name\": \"B\", \"at\": 2, \"bytes\": @@2}"),
              at + "1/bytes", "overlaps", cause);
    CHECK(must_load(
              structure(R"({"name": "A", "bits": "7:0"}, {"name": "B", "at": 1, "width": 8, "bits": "7:0"})"))
              .fields.size() == 2);
    CHECK(
        must_load(
            structure(
                R"({"name": "A", "bits": "7:0", "when": "T == 0"}, {"name": "B", "bits": "3:0", "when": "T"},
                                 {"name": "T", "bits": "8"})"))
            .fields.size() == 3);
    // In a big-endian word bits 7:0 are in the last byte.
    CHECK(must_load(structure(R"({"name": "A", "bits": "7:0"}, {"name": "B", "width": 8, "bits": "7:0"})",
                              R"("byteOrder": "big",)"))
              .fields.size() == 2);
    check_bad(
        structure(R"({"name": "A", "bits": "7:0"}, {"name": "B", "at": 3, "width": 8, "bits": @@"7:0"})",
                  R"("byteOrder": "big",)"),
        at + "1/bits", "overlaps", cause);
    // Bits 11:4 of a big-endian 16-bit word: the low half of byte 0 and the high half of byte 1.
    CHECK(
        must_load(
            structure(R"({"name": "A", "width": 16, "bits": "11:4"}, {"name": "B", "width": 8, "bits": "7:4"},
                                 {"name": "C", "at": 1, "width": 8, "bits": "3:0"})",
                      R"("byteOrder": "big",)"))
            .fields.size() == 3);
    check_bad(
        structure(
            R"({"name": "A", "width": 16, "bits": "11:4"}, {"name": "C", "at": 1, "width": 8, "bits": @@"4:0"})",
            R"("byteOrder": "big",)"),
        at + "1/bits", "overlaps", cause);
}

TEST_CASE("valid: a phase bit, or a value") {
    const RegisterMap map = must_load(
        structure(R"({"name": "V", "at": 12, "bits": "0"})", R"("valid": {"field": "V", "phase": true},)"));
    CHECK(map.structures[0].valid_phase);
    CHECK(map.text(map.fields[map.structures[0].valid_field].name) == "V");
    CHECK(must_load(structure(R"({"name": "V", "bits": "1:0"})", R"("valid": {"field": "V", "value": 2},)"))
              .structures[0]
              .valid_value == 2);
    check_bad(structure(R"({"name": "V", "bits": "0"})", R"("valid": {"field": "V", "value": @@2},)"),
              "/structures/0/valid/value", "at most 0x1");
    check_bad(structure(R"({"name": "V", "bits": "0"})", R"("valid": @@{"field": "V"},)"),
              "/structures/0/valid", "either");
    check_bad(structure(R"({"name": "V", "bits": "0"})",
                        R"("valid": @@{"field": "V", "phase": true, "value": 1},)"),
              "/structures/0/valid", "either");
    check_bad(structure(R"({"name": "V", "bits": "0"})",
                        R"("valid": @@{"field": "V", "phase": false, "value": 1},)"),
              "/structures/0/valid", "either");
    check_bad(structure(R"({"name": "V", "bits": "0"})", R"("valid": {"field": @@"W", "phase": true},)"),
              "/structures/0/valid/field", "no field \"W\"");
    check_bad(structure(R"({"name": "V", "bytes": 4})", R"("valid": {"field": @@"V", "phase": true},)"),
              "/structures/0/valid/field", "has bytes");
}

TEST_CASE("variants choose among structures that are not longer") {
    const std::string others =
        R"({"name": "A", "size": 16, "fields": []}, {"name": "LARGE", "size": 24, "fields": []},)";
    const auto variant = [&](const std::string& members) {
        return map_text("\"structures\": [" + others +
                        "\n{\"name\": \"S\", \"size\": 16, \"variant\": {\"on\": \"T\", " + members +
                        R"(}, "fields": [{"name": "T", "bits": "5:0"}]}])");
    };
    const std::string where = "/structures/2/variant";
    const RegisterMap map = must_load(variant(R"("cases": {"0x3": "A", "1": "A"}, "default": "A")"));
    const Structure& s = map.structures[2];
    REQUIRE(s.variant_cases.count == 2);
    CHECK(map.variant_cases[s.variant_cases.begin].value == 1); // ascending
    CHECK(map.variant_cases[s.variant_cases.begin + 1].value == 3);
    CHECK(s.variant_default == 0);
    CHECK(map.text(map.fields[s.variant_on].name) == "T");
    check_bad(variant(R"("cases": {"0": @@"B"})"), where + "/cases/0", "no structure \"B\"");
    check_bad(variant(R"("cases": {"0": @@"LARGE"})"), where + "/cases/0", "has 24 bytes, this structure 16");
    check_bad(variant(R"("cases": {"0": "A"}, "default": @@"LARGE")"), where + "/default", "has 24 bytes");
    CHECK(must_load(map_text(R"("structures": [{"name": "B", "size": 8, "fields": []},
        {"name": "S", "size": 16, "variant": {"on": "T", "cases": {"0": "B"}}, "fields": [{"name": "T", "bits": "0"}]}])"))
              .variant_cases.size() == 1);
    check_bad(variant(R"("cases": {@@"64": "A"})"), where + "/cases/64", "does not fit",
              "map-value-does-not-fit");
    check_bad(variant(R"("cases": {"1": "A", @@"0x1": "A"})"), where + "/cases/0x1", "twice",
              "map-duplicate-name");
    check_bad(variant(R"("cases": @@[])"), where + "/cases", "must be an object");
}

TEST_CASE("variants do not lead back") {
    check_bad(map_text(R"("structures": [{"name": "S", "size": 4, "fields": [{"name": "T", "bits": "0"}],
        "variant": @@{"on": "T", "cases": {"0": "S"}}}])"),
              "/structures/0/variant", "lead back", "map-cycle");
    check_bad(map_text(R"("structures": [
        {"name": "A", "size": 4, "fields": [{"name": "T", "bits": "0"}], "variant": @@{"on": "T", "cases": {}, "default": "B"}},
        {"name": "B", "size": 4, "fields": [{"name": "T", "bits": "0"}], "variant": {"on": "T", "cases": {"1": "A"}}}])"),
              "/structures/0/variant", "lead back", "map-cycle");
    // Through two levels is fine.
    CHECK(must_load(map_text(R"("structures": [
        {"name": "A", "size": 4, "fields": [{"name": "T", "bits": "0"}], "variant": {"on": "T", "cases": {"0": "B", "1": "C"}}},
        {"name": "B", "size": 4, "fields": [{"name": "T", "bits": "1"}], "variant": {"on": "T", "cases": {"0": "C"}}},
        {"name": "C", "size": 4, "fields": []}])"))
              .structures.size() == 3);
}

TEST_CASE("logs name a space, a structure and a register") {
    const auto log = [](const std::string& members) {
        return bar_map(R"("registers": [{"name": "PROD", "offset": 0, "readAction": "none"}],
            "structures": [{"name": "E", "size": 4, "fields": []}], "logs": [{"name": "L", )" +
                       members + "}]");
    };
    const RegisterMap map = must_load(log(
        R"("space": "bar0", "base": 256, "entry": "E", "count": "8 * 2", "producer": "PROD", "title": "t")"));
    CHECK(map.logs[0].space == 0);
    CHECK(map.logs[0].entry == 0);
    CHECK(map.logs[0].producer == 0);
    CHECK(constant(map, map.logs[0].count) == 16);
    check_bad(log(R"("space": @@"x", "base": 0, "entry": "E", "count": 1)"), "/logs/0/space",
              "no space \"x\"");
    check_bad(log(R"("space": "bar0", "base": 0, "entry": @@"F", "count": 1)"), "/logs/0/entry",
              "no structure \"F\"");
    check_bad(log(R"("space": "bar0", "base": 0, "entry": "E", "count": 1, "producer": @@"P")"),
              "/logs/0/producer", "no register \"P\"");
}
