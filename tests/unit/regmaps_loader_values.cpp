// What a map's members are loaded as.
#include "regmaps_loader_support.h"

#include <regmaps/decode.h>
#include <regmaps/parameters.h>

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::vector<std::string> texts(const RegisterMap& map, Range range) {
    std::vector<std::string> out;
    for (const Text text : map.text_list.subspan(range.begin, range.count)) {
        out.emplace_back(map.text(text));
    }
    return out;
}

} // namespace

TEST_CASE("the head of a map") {
    const RegisterMap map =
        must_load(R"({"$schema": "x", "formatVersion": "1", "name": "a-1", "title": "T", "version": "2.0",
        "description": "D", "sources": ["one", "two"], "x-note": 1})");
    CHECK(map.name == "a-1");
    CHECK(map.title == "T");
    CHECK(map.version == "2.0");
    CHECK(map.description == "D");
    CHECK(map.origin == "test.json");
    REQUIRE(map.sources.size() == 2);
    CHECK(map.text(map.sources[1]) == "two");
    CHECK(map.registers.empty());
}

TEST_CASE("a register's members and their defaults") {
    const RegisterMap map = must_load(bar_map(R"("registers": [
        {"name": "A", "offset": 0, "readAction": "none"},
        {"name": "B", "offset": 8, "width": 64, "access": "read-writeOnce", "readAction": "modifyExternal",
         "modifiedWriteValue": "zeroToToggle", "byteOrder": "big", "resetValue": 5, "writeMask": 6,
         "poison": ["0xdeaddeaddeaddead", {"mask": "0xff00", "value": "0x1200"}], "group": ["health", "link"],
         "volatility": "counter", "modulus": "1 << 32", "unit": "packets", "display": "dec",
         "enum": {"1": {"name": "ONE", "severity": "warning", "description": "one"}, "0": "ZERO"},
         "title": "t", "description": "d", "source": "s"},
        {"name": "C", "offset": 16, "readAction": "none", "neverAllOnes": true, "group": "health"}])"));
    const Register& a = map.registers[0];
    CHECK(a.width == 32);
    CHECK(a.access == Access::read_write);
    CHECK(a.read_action == ReadAction::none);
    CHECK(a.modified_write == ModifiedWrite::plain);
    CHECK(a.volatility == Volatility::status);
    CHECK(a.display == Display::hex);
    CHECK(a.split == safety::Split::none);
    CHECK_FALSE(a.has_reset);
    CHECK_FALSE(a.has_write_mask);
    CHECK_FALSE(a.never_all_ones);
    CHECK_FALSE(a.alternate);
    CHECK(a.block == none);
    CHECK(a.array.count == none);
    CHECK(a.when == none);
    CHECK(a.enumeration == none);
    CHECK(a.fields.count == 0);

    const Register& b = map.registers[1];
    CHECK(b.width == 64);
    CHECK(b.access == Access::read_write_once);
    CHECK(b.read_action == ReadAction::modify_external);
    CHECK(b.modified_write == ModifiedWrite::zero_to_toggle);
    CHECK(b.order == safety::ByteOrder::big);
    CHECK(b.has_reset);
    CHECK(b.reset_value == 5);
    CHECK(b.has_write_mask);
    CHECK(b.write_mask == 6);
    REQUIRE(b.poison.count == 2);
    CHECK(map.poisons[b.poison.begin].mask == 0xffffffffffffffff);
    CHECK(map.poisons[b.poison.begin].value == 0xdeaddeaddeaddead);
    CHECK(map.poisons[b.poison.begin + 1].mask == 0xff00);
    CHECK(texts(map, b.groups) == std::vector<std::string>{"health", "link"});
    CHECK(b.volatility == Volatility::counter);
    CHECK(constant(map, b.modulus) == std::uint64_t{1} << 32);
    CHECK(map.text(b.unit) == "packets");
    CHECK(b.display == Display::dec);
    CHECK(map.text(b.title) == "t");
    CHECK(map.text(b.description) == "d");
    CHECK(map.text(b.source) == "s");
    const Range values = map.enums[b.enumeration].values;
    REQUIRE(values.count == 2);
    CHECK(map.enum_values[values.begin].value == 0); // ascending
    CHECK(map.text(map.enum_values[values.begin].name) == "ZERO");
    CHECK(map.enum_values[values.begin].severity == Severity::unspecified);
    CHECK(map.enum_values[values.begin + 1].severity == Severity::warning);
    CHECK(map.text(map.enum_values[values.begin + 1].description) == "one");
    CHECK(map.registers[2].never_all_ones);
    CHECK(texts(map, map.registers[2].groups) == std::vector<std::string>{"health"});
}

TEST_CASE("a poison value has the mask of its register's width") {
    const RegisterMap map = must_load(bar_map(
        R"("registers": [{"name": "A", "offset": 0, "width": 16, "readAction": "none", "poison": ["0xdead"]}])"));
    CHECK(map.poisons[0].mask == 0xffff);
}

TEST_CASE("fields take over what they do not say") {
    const RegisterMap map = must_load(bar_map(R"("enums": {"on-off": {"0": "OFF", "1": "ON"}},
        "registers": [{"name": "A", "offset": 0, "width": 16, "access": "read-only", "readAction": "none",
        "modifiedWriteValue": "oneToClear", "volatility": "constant", "fields": [
            {"name": "F", "bits": "15:8"},
            {"name": "G", "bits": "7", "access": "read-write", "modifiedWriteValue": "set", "volatility": "timestamp",
             "display": "bool", "enum": "on-off", "modulus": 2, "unit": "u", "title": "t", "description": "d", "source": "s"}]}])"));
    const Field& f = map.fields[0];
    CHECK(f.width == 16);
    CHECK(f.msb == 15);
    CHECK(f.lsb == 8);
    CHECK(f.access == Access::read_only);
    CHECK(f.modified_write == ModifiedWrite::one_to_clear);
    CHECK(f.volatility == Volatility::constant);
    CHECK(f.read_action == ReadAction::none);
    CHECK(f.display == Display::hex);
    CHECK(f.enumeration == none);
    CHECK(f.when == none);
    CHECK(f.owner == 0);
    const Field& g = map.fields[1];
    CHECK(g.access == Access::read_write);
    CHECK(g.modified_write == ModifiedWrite::set);
    CHECK(g.volatility == Volatility::timestamp);
    CHECK(g.display == Display::boolean);
    CHECK(map.text(map.enums[g.enumeration].name) == "on-off");
    CHECK(constant(map, g.modulus) == 2);
    CHECK(map.text(g.unit) == "u");
    CHECK(map.text(g.title) == "t");
}

TEST_CASE("blocks nest, and pass on their groups") {
    const RegisterMap map = must_load(bar_map(R"("blocks": [
        {"name": "Q", "base": 256, "array": {"count": 4, "stride": 64, "index": "q"}, "group": "queue", "title": "t",
         "registers": [{"name": "A", "offset": 0, "readAction": "none", "group": ["hwq"]},
                       {"name": "B", "offset": 4, "readAction": "none"}],
         "blocks": [{"name": "IN", "base": 32, "group": "inner", "registers": [{"name": "C", "offset": 0, "readAction": "none"}]}]}])"));
    REQUIRE(map.blocks.size() == 2);
    CHECK(map.blocks[0].parent == none);
    CHECK(map.blocks[1].parent == 0);
    CHECK(constant(map, map.blocks[0].base) == 256);
    CHECK(map.text(map.blocks[0].array.index) == "q");
    CHECK(constant(map, map.blocks[0].array.count) == 4);
    CHECK(reg_called(map, "A").block == 0);
    CHECK(reg_called(map, "C").block == 1);
    CHECK(texts(map, reg_called(map, "A").groups) == std::vector<std::string>{"hwq", "queue"});
    CHECK(texts(map, reg_called(map, "B").groups) == std::vector<std::string>{"queue"});
    CHECK(texts(map, reg_called(map, "C").groups) == std::vector<std::string>{"inner", "queue"});
}

TEST_CASE("derived values and checks") {
    const RegisterMap map = must_load(bar_map(R"("derived": [
        {"name": "D", "value": "1 + 2 * 3", "unit": "u", "display": "scaled", "scale": 0.5, "offset": 1, "when": 0,
         "enum": {"7": "SEVEN"}, "title": "t", "description": "d"}, {"name": "E", "value": "0x10"}],
        "checks": [{"name": "a free text", "expect": "D == 7", "severity": "critical", "meaning": "m", "advice": "a",
                    "when": "E", "group": ["health"]}, {"name": "C", "expect": 1}])"));
    CHECK(constant(map, map.derived[0].value) == 7);
    CHECK(constant(map, map.derived[0].when) == 0);
    CHECK(map.derived[0].scale == 0.5);
    CHECK(map.derived[0].offset == 1);
    CHECK(map.derived[0].enumeration == 0);
    CHECK(map.derived[1].display == Display::dec);
    CHECK(map.checks[0].severity == Severity::critical);
    CHECK(map.text(map.checks[0].meaning) == "m");
    CHECK(map.text(map.checks[0].advice) == "a");
    CHECK(texts(map, map.checks[0].groups) == std::vector<std::string>{"health"});
    CHECK(map.checks[1].severity == Severity::warning);
    const Range code = map.expressions[map.checks[0].expect].code;
    CHECK(map.codes[code.begin].op == Op::derived);
}

TEST_CASE("a parameter may have a value, and is given one") {
    const RegisterMap map = must_load(bar_map(R"("derived": [{"name": "P", "parameter": true},
        {"name": "Q", "parameter": true, "value": 7}, {"name": "R", "value": "P + Q"}])"));
    CHECK(map.derived[0].parameter);
    CHECK(map.derived[0].value == none);
    CHECK(constant(map, map.derived[1].value) == 7);
    CHECK_FALSE(map.derived[2].parameter);
    const auto value_of_r = [](const RegisterMap& m) {
        return decode(m, *place_map(m, LayoutInputs{}), {}, {}).derived[2].value;
    };
    CHECK_FALSE(value_of_r(map));
    const auto given = with_parameters(map, {{"P", 1}, {"Q", 2}, {"Q", 3}});
    REQUIRE(given);
    CHECK(value_of_r(*given) == 4U);
    CHECK_FALSE(value_of_r(map)); // the map itself stays as it was
    for (const char* wrong : {"R", "S", ""}) {
        const auto refused = with_parameters(map, {{wrong, 1}});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().cause == "unknown-parameter");
        CHECK(refused.error().code == barscope::ErrorCode::usage);
    }
    check_bad(bar_map(R"("derived": [@@{"name": "P"}])"), "/derived/0", "needs \"value\"");
    check_bad(bar_map(R"("derived": [@@{"name": "P", "parameter": false}])"), "/derived/0",
              "needs \"value\"");
}

TEST_CASE("what is read on request, and what is hidden") {
    const RegisterMap map = must_load(bar_map(R"("registers": [
        {"name": "A", "offset": 0, "readAction": "none", "onRequest": true},
        {"name": "B", "offset": 4, "readAction": "none"}],
        "structures": [{"name": "S", "size": 8, "fields": [
        {"name": "H", "bits": "31:0", "sensitive": "kernel-pointer"}, {"name": "N", "at": 4, "bits": "0"}]}])"));
    CHECK(map.registers[0].on_request);
    CHECK_FALSE(map.registers[1].on_request);
    CHECK(map.fields[0].sensitive == Sensitive::kernel_pointer);
    CHECK(map.fields[1].sensitive == Sensitive::no);
    CHECK(name(Sensitive::kernel_pointer) == "kernel-pointer");
    check_bad(bar_map(R"("structures": [{"name": "S", "size": 4, "fields": [
        {"name": "H", "bits": "0", "sensitive": @@"secret"}]}])"),
              "/structures/0/fields/0/sensitive", "cannot be \"secret\"");
}

TEST_CASE("registers that identify") {
    const RegisterMap map = must_load(bar_map(R"("registers": [
        {"name": "A", "offset": 0, "readAction": "none", "sensitive": "identifier"},
        {"name": "B", "offset": 4, "readAction": "none", "fields": [
          {"name": "X", "bits": "31"}, {"name": "Y", "bits": "15:0", "sensitive": "identifier"}]},
        {"name": "C", "offset": 8, "readAction": "none", "fields": [{"name": "X", "bits": "31"}]}])"));
    CHECK(map.registers[0].sensitive == Sensitive::identifier);
    CHECK(map.registers[1].sensitive == Sensitive::identifier); // for a field of it
    CHECK(map.registers[2].sensitive == Sensitive::no);
    CHECK(name(Sensitive::identifier) == "identifier");
    check_bad(bar_map(R"("registers": [
        {"name": "A", "offset": 0, "readAction": "none", "sensitive": @@"kernel-pointer"}])"),
              "/registers/0/sensitive", "only a structure's field holds kernel pointers");
    check_bad(bar_map(R"("registers": [{"name": "A", "offset": 0, "readAction": "none", "fields": [
        {"name": "X", "bits": "0", "sensitive": @@"kernel-pointer"}]}])"),
              "/registers/0/fields/0/sensitive", "only a structure's field holds kernel pointers");
    check_bad(bar_map(R"("structures": [{"name": "S", "size": 4, "fields": [
        {"name": "H", "bits": "0", "sensitive": @@"identifier"}]}])"),
              "/structures/0/fields/0/sensitive", "is no register that a snapshot holds");
}

TEST_CASE("match rules and their specificity, in halves") {
    const RegisterMap map = must_load(map_text(R"("match": [{}, {"class": "0x010802"},
        {"vendor": "0x14e4", "device": ["0x1750", "0x1751"], "subsystemDevice": 1, "subsystemVendor": 2, "revision": 3},
        {"device": {"mask": "0xfff0", "value": "0x1750"}, "class": {"mask": "0xffff00", "value": "0x020000"}}])"));
    REQUIRE(map.match_rules.size() == 4);
    CHECK(map.match_rules[0].specificity == 0);
    CHECK(map.match_rules[1].specificity == 2 * 1);
    CHECK(map.match_rules[2].specificity == 2 * (4 + 32 + 16 + 8 + 2));
    CHECK(map.match_rules[3].specificity == 32 + 1);
    const MatchTerm& devices = map.match_terms[map.match_rules[2].terms.begin + 1];
    CHECK(devices.key == MatchKey::device);
    CHECK(devices.values.count == 2);
    CHECK(map.match_values[devices.values.begin + 1].value == 0x1751);
    CHECK(map.match_values[devices.values.begin + 1].mask == 0xffff);

    const auto bad = [](const std::string& rule, const std::string& pointer, const std::string& says) {
        check_bad(map_text("\"match\": [" + rule + "]"), "/match/0/" + pointer, says);
    };
    bad(R"({"vendor": @@"0x10000"})", "vendor", "at most 0xffff");
    bad(R"({"class": @@"0x1000000"})", "class", "at most 0xffffff");
    bad(R"({"revision": @@256})", "revision", "at most 0xff");
    bad(R"({"device": @@[]})", "device", "matches nothing");
    bad(R"({"device": [@@{"mask": 1, "value": 1}]})", "device/0", "cannot stand in a list");
    bad(R"({"device": @@{"mask": 1, "value": 2}})", "device", "outside of the mask");
    bad(R"({"device": {"mask": @@65536, "value": 0}})", "device/mask", "at most 0xffff");
}

TEST_CASE("the spelling of the words is that of the format") {
    CHECK(name(Access::read_write_once) == "read-writeOnce");
    CHECK(name(Access::write_once) == "writeOnce");
    CHECK(name(ReadAction::modify_external) == "modifyExternal");
    CHECK(name(ReadAction::unclaimed) == "unclaimed");
    CHECK(name(ModifiedWrite::one_to_clear) == "oneToClear");
    CHECK(name(Volatility::timestamp) == "timestamp");
    CHECK(name(Severity::critical) == "critical");
    CHECK(name(Display::signed_dec) == "signed");
}
