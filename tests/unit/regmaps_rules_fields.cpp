// Bits, enums, severities and scales of fields.
#include "regmaps_loader_support.h"

using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::string fields(const std::string& list, unsigned width = 32) {
    return bar_map(fmt::format(
        "\"enums\": {{\"THREE\": {{\"0\": \"A\", \"7\": \"B\"}}}},\n"
        "\"registers\": [{{\"name\": \"R\", \"offset\": 0, \"width\": {}, \"readAction\": \"none\",\n"
        "\"fields\": [{}]}}]",
        width, list));
}
const std::string at = "/registers/0/fields/";

} // namespace

TEST_CASE("bits within their register, the high one first") {
    // A mask over all 64 bits is not an overflow.
    const RegisterMap map = must_load(fields(R"({"name": "ALL", "bits": "63:0"})", 64));
    CHECK(map.fields[0].msb == 63);
    CHECK(map.fields[0].lsb == 0);
    check_bad(fields(R"({"name": "F", "bits": @@"3:7"})"), at + "0/bits", "reversed", "map-reversed-bits");
    check_bad(fields(R"({"name": "F", "bits": @@"32:28"})"), at + "0/bits", "outside", "map-field-outside");
    check_bad(fields(R"({"name": "F", "bits": @@"32"})"), at + "0/bits", "outside", "map-field-outside");
    check_bad(fields(R"({"name": "F", "bits": @@"64"})", 64), at + "0/bits", "outside", "map-field-outside");
    check_bad(fields(R"({"name": "F", "bits": @@"8"})", 8), at + "0/bits", "outside", "map-field-outside");
    check_bad(fields(R"({"name": "F", "bits": @@"18446744073709551615:0"})"), at + "0/bits", "outside",
              "map-field-outside");
    for (const char* bits : {"", ":", "7:", ":0", "7-0", "0x7:0", "7:0:0", " 7:0", "-1", "07:04"}) {
        check_bad(fields(fmt::format(R"({{"name": "F", "bits": @@"{}"}})", bits)), at + "0/bits",
                  "names no bits");
    }
    CHECK(must_load(fields(R"({"name": "F", "bits": 5})")).fields[0].msb == 5);
    check_bad(fields(R"({"name": "F", "bits": @@[7, 0]})"), at + "0/bits", "must be a text");
}

TEST_CASE("fields do not overlap unless all have a when") {
    check_bad(fields("{\"name\": \"A\", \"bits\": \"7:0\"},\n {\"name\": \"B\", \"bits\": @@\"7\"}"),
              at + "1/bits", "overlaps", "map-fields-overlap");
    check_bad(fields(R"({"name": "A", "bits": "7:0", "when": 1}, {"name": "B", "bits": @@"7"})"),
              at + "1/bits", "overlaps", "map-fields-overlap");
    check_bad(fields(R"({"name": "A", "bits": "7:0"}, {"name": "B", "bits": @@"7", "when": 1})"),
              at + "1/bits", "overlaps", "map-fields-overlap");
    CHECK(
        must_load(
            fields(
                R"({"name": "A", "bits": "7:0", "when": "T == 1"}, {"name": "B", "bits": "7:4", "when": "T == 2"},
                              {"name": "T", "bits": "9:8"})"))
            .fields.size() == 3);
    CHECK(must_load(fields(R"({"name": "A", "bits": "7:0"}, {"name": "B", "bits": "8"})")).fields.size() ==
          2);
}

TEST_CASE("enum values fit their field") {
    CHECK(must_load(fields(R"({"name": "F", "bits": "2:0", "enum": "THREE"})")).fields[0].enumeration == 0);
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": @@"THREE"})"), at + "0/enum", "0x7",
              "map-value-does-not-fit");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": {"0": "A", @@"4": "B"}})"), at + "0/enum/4",
              "does not fit", "map-value-does-not-fit");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": @@"TREE"})"), at + "0/enum", "no enum \"TREE\"");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": {@@"x": "A"}})"), at + "0/enum/x",
              "not a number");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": {"1": "A", @@"0x1": "B"}})"), at + "0/enum/0x1",
              "stands here twice", "map-duplicate-name");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": @@{}})"), at + "0/enum", "without values");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": @@3})"), at + "0/enum", "must be an object");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "enum": {"0": @@""}})"), at + "0/enum/0",
              "without a name");
    check_bad(bar_map(R"("registers": [{"name": "R", "offset": 0, "width": 8, "readAction": "none",
        "enum": {"0": "A", @@"256": "B"}}])"),
              "/registers/0/enum/256", "does not fit", "map-value-does-not-fit");
    // All 64 bits.
    CHECK(must_load(fields(R"({"name": "F", "bits": "63:0", "enum": {"0xffffffffffffffff": "ALL"}})", 64))
              .enum_values[2]
              .value == 0xffffffffffffffff);
}

TEST_CASE("severities fit their field and do not compete with an enum") {
    const RegisterMap map =
        must_load(fields(R"({"name": "F", "bits": "1:0", "severity": {"0": "ok", "0b11": "critical"}})"));
    REQUIRE(map.fields[0].severities.count == 2);
    CHECK(map.field_severities[1].value == 3);
    CHECK(map.field_severities[1].severity == Severity::critical);
    check_bad(fields(R"({"name": "F", "bits": "1:0", "severity": {@@"4": "ok"}})"), at + "0/severity/4",
              "does not fit", "map-value-does-not-fit");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "severity": {"1": "ok", @@"0x1": "ok"}})"),
              at + "0/severity/0x1", "twice", "map-duplicate-name");
    check_bad(fields(R"({"name": "F", "bits": "2:0", "enum": "THREE", "severity": @@{"0": "ok"}})"),
              at + "0/severity", "severities there");
    check_bad(fields(R"({"name": "F", "bits": "1:0", "severity": @@"ok"})"), at + "0/severity",
              "must be an object");
}

TEST_CASE("a scale and the display that needs it come together") {
    const RegisterMap map = must_load(fields(
        R"({"name": "F", "bits": "7:0", "display": "scaled", "scale": 0.25, "offset": -40, "unit": "C"})"));
    CHECK(map.fields[0].scale == 0.25);
    CHECK(map.fields[0].offset == -40);
    CHECK(map.text(map.fields[0].unit) == "C");
    check_bad(fields(R"({"name": "F", "bits": "7:0", "scale": @@2})"), at + "0/scale", "scaled");
    check_bad(fields(R"({"name": "F", "bits": "7:0", "display": @@"scaled"})"), at + "0/display",
              "needs \"scale\"");
    check_bad(fields(R"({"name": "F", "bits": "7:0", "display": "scaled", "scale": @@"2"})"), at + "0/scale",
              "must be a JSON number");
    check_bad(
        bar_map(R"("registers": [{"name": "R", "offset": 0, "readAction": "none", "display": @@"scaled"}])"),
        "/registers/0/display", "no scale");
    check_bad(bar_map(R"("derived": [{"name": "D", "value": 1, "scale": @@2}])"), "/derived/0/scale",
              "belong together");
}

TEST_CASE("fields stand from the highest bit down") {
    const RegisterMap map =
        must_load(fields(R"({"name": "LOW", "bits": "3:0"}, {"name": "HIGH", "bits": "31:28"},
        {"name": "ALT_A", "bits": "15:8", "when": "LOW == 1"}, {"name": "ALT_B", "bits": "15:12", "when": "LOW == 2"},
        {"name": "MID", "bits": "27:16"})"));
    std::vector<std::string> order;
    for (const Field& field : map.fields) {
        order.emplace_back(map.text(field.name));
    }
    CHECK(order == std::vector<std::string>{"HIGH", "MID", "ALT_B", "ALT_A", "LOW"});
    // The conditions still name the field that they named.
    const Field& alternative = map.fields[2];
    const Range code = map.expressions[alternative.when].code;
    CHECK(map.codes[code.begin].op == Op::own_field);
    CHECK(map.text(map.fields[map.codes[code.begin].ref].name) == "LOW");
}
