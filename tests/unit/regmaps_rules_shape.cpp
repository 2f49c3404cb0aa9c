// Keys, names and words: what each kind of object may and must have.
#include "regmaps_loader_support.h"

using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::string one_register(const std::string& members) {
    return bar_map("\"registers\": [\n{" + members + "}]");
}

} // namespace

TEST_CASE("keys that a map must have") {
    check_bad("@@{}", "(document)", "a map needs", "map-rule");
    check_bad(R"(@@{"formatVersion": 1, "name": "a", "title": "", "version": ""})", "(document)",
              "needs \"sources\"");
    check_bad(R"({"formatVersion": 1, "name": "a", "title": "", "version": "", "sources": @@[]})", "/sources",
              "no source");
    check_bad(R"({"formatVersion": @@2, "name": "a", "title": "", "version": "", "sources": ["s"]})",
              "/formatVersion", "version is 2");
    check_bad(R"({"formatVersion": 1, "name": @@"A_b", "title": "", "version": "", "sources": ["s"]})",
              "/name", "map's name");
    check_bad(map_text(R"("include": [@@"../etc/x"])"), "/include/0", "map's name");
    check_bad(map_text(R"("$schema": @@3)"), "/$schema", "must be a text");
    check_bad("@@[]", "(document)", "must be an object, not a list");
    check_bad("@@3", "(document)", "must be an object, not a number");
}

TEST_CASE("unknown keys are refused with what was meant, x- keys are not") {
    check_bad(one_register(R"("name": "A", "offset": 0, "readAction": "none", @@"widht": 32)"),
              "/registers/0/widht", "has no key \"widht\"", "map-unknown-key");
    const auto map =
        load_text(one_register(R"("name": "A", "offset": 0, "readAction": "none", "widht": 32)"));
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().remedy == "did you mean width?");
    // A key of another kind of object is unknown here.
    check_bad(one_register(R"("name": "A", "offset": 0, "readAction": "none", @@"bits": "3")"),
              "/registers/0/bits", "a register has no key \"bits\"", "map-unknown-key");
    CHECK(must_load(
              one_register(
                  R"("name": "A", "offset": 0, "readAction": "none", "x-note": {"width": [1, {"a": null}]})"))
              .registers.size() == 1);
}

TEST_CASE("every kind of object refuses unknown keys and misses required ones") {
    const auto bad_key = [](const std::string& body, const std::string& pointer) {
        check_bad(bar_map(body), pointer, "has no key \"oops\"", "map-unknown-key");
    };
    bad_key(R"("match": [{@@"oops": 1}])", "/match/0/oops");
    bad_key(R"("match": [{"device": {"mask": 1, "value": 1, @@"oops": 1}}])", "/match/0/device/oops");
    bad_key(R"("blocks": [{"name": "B", @@"oops": 1}])", "/blocks/0/oops");
    bad_key(R"("structures": [{"name": "S", "size": 4, "fields": [], @@"oops": 1}])", "/structures/0/oops");
    bad_key(
        R"("structures": [{"name": "S", "size": 4, "fields": [{"name": "F", "bits": "0", @@"oops": 1}]}])",
        "/structures/0/fields/0/oops");
    bad_key(R"("derived": [{"name": "D", "value": 1, @@"oops": 1}])", "/derived/0/oops");
    bad_key(R"("checks": [{"name": "C", "expect": 1, @@"oops": 1}])", "/checks/0/oops");
    bad_key(R"("logs": [{"name": "L", @@"oops": 1}])", "/logs/0/oops");
    bad_key(R"("counters": [{"name": "K", @@"oops": 1}])", "/counters/0/oops");
    bad_key(R"("driverDumps": [{"driver": "d", @@"oops": 1}])", "/driverDumps/0/oops");
    bad_key(R"("enums": {"E": {"0": {"name": "N", @@"oops": 1}}})", "/enums/E/0/oops");

    const auto missing = [](const std::string& body, const std::string& pointer, const std::string& key) {
        check_bad(bar_map(body), pointer, "needs \"" + key + "\"");
    };
    missing(R"("registers": [@@{"offset": 0}])", "/registers/0", "name");
    missing(R"("registers": [@@{"name": "A"}])", "/registers/0", "offset");
    missing(R"("registers": [{"name": "A", "offset": 0, "fields": [@@{"name": "F"}]}])",
            "/registers/0/fields/0", "bits");
    missing(R"("blocks": [@@{"registers": []}])", "/blocks/0", "name");
    missing(R"("structures": [@@{"name": "S", "fields": []}])", "/structures/0", "size");
    missing(R"("derived": [@@{"name": "D"}])", "/derived/0", "value");
    missing(R"("checks": [@@{"name": "C"}])", "/checks/0", "expect");
    missing(R"("logs": [@@{"name": "L"}])", "/logs/0", "base");
    missing(R"("registers": [{"name": "A", "offset": 0, "array": @@{"count": 2}}])", "/registers/0/array",
            "stride");
    missing(R"("enums": {"E": {"0": @@{"severity": "ok"}}})", "/enums/E/0", "name");
    missing(R"("match": [{"device": @@{"mask": 1}}])", "/match/0/device", "value");
}

TEST_CASE("names keep to their alphabet") {
    check_bad(one_register(R"("name": @@"A B", "offset": 0)"), "/registers/0/name", "cannot be a name");
    check_bad(one_register(R"("name": @@"1A", "offset": 0)"), "/registers/0/name", "cannot be a name");
    check_bad(one_register(R"("name": @@"", "offset": 0)"), "/registers/0/name", "cannot be a name");
    check_bad(one_register(R"("name": @@"A.B", "offset": 0)"), "/registers/0/name", "cannot be a name");
    check_bad(one_register(R"("name": @@"pci", "offset": 0, "readAction": "none")"), "/registers/0/name",
              "means something else");
    check_bad(bar_map(R"("blocks": [{"name": @@"present"}])"), "/blocks/0/name", "means something else");
    check_bad(bar_map(R"("enums": {"A B": @@{"0": "X"}})"), "/enums/A B", "cannot be a name");
    // A field may begin with a digit: it always stands behind a dot.
    CHECK(
        must_load(
            one_register(
                R"("name": "A", "offset": 0, "readAction": "none", "fields": [{"name": "64BIT", "bits": "7"}])"))
            .fields.size() == 1);
}

TEST_CASE("words are those of the format") {
    const auto bad_word = [](const std::string& member, const std::string& key) {
        check_bad(one_register(R"("name": "A", "offset": 0, )" + member), "/registers/0/" + key,
                  "cannot be \"oops\"");
    };
    bad_word(R"("access": @@"oops")", "access");
    bad_word(R"("readAction": @@"oops")", "readAction");
    bad_word(R"("modifiedWriteValue": @@"oops")", "modifiedWriteValue");
    bad_word(R"("volatility": @@"oops")", "volatility");
    bad_word(R"("display": @@"oops")", "display");
    bad_word(R"("byteOrder": @@"oops")", "byteOrder");
    bad_word(R"("split": @@"oops")", "split");
    check_bad(one_register(R"("name": "A", "offset": 0, "access": @@3)"), "/registers/0/access",
              "must be a text, not a number");
    check_bad(one_register(R"("name": "A", "offset": 0, "alternate": @@"yes")"), "/registers/0/alternate",
              "must be true or false");
    check_bad(bar_map(R"("checks": [{"name": "C", "expect": 1, "severity": @@"ok"}])"), "/checks/0/severity",
              "not \"ok\"");
    check_bad(bar_map(R"("enums": {"E": {"0": {"name": "N", "severity": @@"bad"}}})"), "/enums/E/0/severity",
              "cannot be \"bad\"");
}

TEST_CASE("widths are 8, 16, 32 and 64 bits") {
    check_bad(one_register(R"("name": "A", "offset": 0, "width": @@24)"), "/registers/0/width", "24 bits");
    check_bad(one_register(R"("name": "A", "offset": 0, "width": @@4294967328)"), "/registers/0/width",
              "bits");
    check_bad(one_register(R"("name": "A", "offset": 0, "width": @@0)"), "/registers/0/width", "0 bits");
}

TEST_CASE("lists are lists") {
    check_bad(bar_map("\"registers\": @@{}"), "/registers", "must be a list, not an object");
    check_bad(bar_map("\"blocks\": @@1"), "/blocks", "must be a list");
    check_bad(bar_map("\"enums\": @@[]"), "/enums", "must be an object");
    check_bad(bar_map("\"match\": @@{}"), "/match", "must be a list");
    check_bad(bar_map("\"registers\": [@@1]"), "/registers/0", "must be an object, not a number");
    check_bad(bar_map("\"include\": @@\"pcie\""), "/include", "must be a list");
    check_bad(one_register(R"("name": "A", "offset": 0, "poison": @@3)"), "/registers/0/poison",
              "must be a list");
    check_bad(one_register(R"("name": "A", "offset": 0, "group": [@@""])"), "/registers/0/group/0", "empty");
}

TEST_CASE("duplicate names are refused wherever names must differ") {
    const std::string cause = "map-duplicate-name";
    const auto twice = [&](const std::string& body, const std::string& pointer, const std::string& name) {
        check_bad(bar_map(body), pointer, "\"" + name + "\" exists already", cause);
    };
    twice(R"("registers": [{"name": "A", "offset": 0, "readAction": "none"},
           {"name": @@"A", "offset": 4, "readAction": "none"}])",
          "/registers/1/name", "A");
    twice(R"("registers": [{"name": "A", "offset": 0, "readAction": "none"}], "blocks": [{"name": @@"A"}])",
          "/blocks/0/name", "A");
    twice(
        R"("registers": [{"name": "A", "offset": 0, "readAction": "none"}], "derived": [{"name": @@"A", "value": 1}])",
        "/derived/0/name", "A");
    twice(R"("blocks": [{"name": "B", "registers": [{"name": "A", "offset": 0, "readAction": "none"},
           {"name": @@"A", "offset": 4, "readAction": "none"}]}])",
          "/blocks/0/registers/1/name", "A");
    twice(
        R"("structures": [{"name": "S", "size": 4, "fields": []}, {"name": @@"S", "size": 4, "fields": []}])",
        "/structures/1/name", "S");
    twice(R"("checks": [{"name": "C", "expect": 1}, {"name": @@"C", "expect": 1}])", "/checks/1/name", "C");
    twice(
        R"("counters": [{"name": "K", "net": "carrier_changes"}, {"name": @@"K", "net": "carrier_changes"}])",
        "/counters/1/name", "K");
    twice(
        R"("derived": [{"name": "D", "value": 1}], "counters": [{"name": @@"D", "net": "carrier_changes"}])",
        "/counters/0/name", "D");
    twice(R"("driverDumps": [{"driver": "d"}, {"driver": @@"d"}])", "/driverDumps/1/driver", "d");
    check_bad(
        map_text(R"("spaces": [{"name": "a", "bar": 0, "size": 4}, {"name": @@"a", "bar": 1, "size": 4}])"),
        "/spaces/1/name", "\"a\" exists already", cause);
    check_bad(one_register(R"("name": "A", "offset": 0, "readAction": "none", "fields": [
        {"name": "F", "bits": "0"}, {"name": @@"F", "bits": "1"}])"),
              "/registers/0/fields/1/name", "\"F\" exists already", cause);
    // The same register name in two blocks is fine.
    CHECK(must_load(bar_map(R"("blocks": [
        {"name": "B", "registers": [{"name": "A", "offset": 0, "readAction": "none"}]},
        {"name": "C", "registers": [{"name": "A", "offset": 4, "readAction": "none"}]}])"))
              .registers.size() == 2);
}

TEST_CASE("the 17th field and later ones are compared too") {
    std::string fields;
    for (int i = 0; i < 32; ++i) {
        fields += fmt::format(R"({}{{"name": {}"F{}", "bits": "{}"}})", i > 0 ? ",\n" : "",
                              i == 31 ? "@@" : "", i == 31 ? 3 : i, i);
    }
    check_bad(one_register(R"("name": "A", "offset": 0, "readAction": "none", "fields": [)" + fields + "]"),
              "/registers/0/fields/31/name", "\"F3\" exists already", "map-duplicate-name");
}
