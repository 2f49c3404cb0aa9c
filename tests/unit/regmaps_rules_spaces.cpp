// Spaces: where they are, what they need, windows and drivers' dumps.
#include "regmaps_loader_support.h"

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::string space(const std::string& members, const std::string& rest = "") {
    return map_text("\"spaces\": [{\"name\": \"s\", " + members + "}]" + rest);
}
const std::string selected = R"(,
    "registers": [{"name": "SEL", "offset": 0, "readAction": "none"},
                  {"name": "POP", "offset": 4, "readAction": "modify"},
                  {"name": "MANY", "offset": 8, "readAction": "none", "array": {"count": 2, "stride": 4}}],
    "blocks": [{"name": "B", "registers": [{"name": "SEL", "offset": 32, "readAction": "none"}]}])";

// A window of 256 bytes in BAR `bar` behind the register `select` of a space in BAR 0.
std::string window(const std::string& select, const std::string& bar = "0") {
    return map_text(
        "\"spaces\": [{\"name\": \"m\", \"bar\": 0, \"size\": 4096},\n {\"name\": \"w\", \"bar\": " + bar +
        R"(, "size": 256, "window": {"select": )" + select +
        R"(, "value": "0x10 << 4", "at": 2048, "size": 256}}])" + selected);
}

} // namespace

TEST_CASE("a space is in a BAR or in configuration space") {
    check_bad(map_text("\"spaces\": [@@{\"name\": \"s\"}]"), "/spaces/0", "needs \"bar\" or \"config\"");
    check_bad(map_text("\"spaces\": [@@{\"name\": \"s\", \"bar\": 0, \"size\": 4, \"config\": true}]"),
              "/spaces/0", "not in both");
    check_bad(map_text("\"spaces\": [@@{\"name\": \"s\", \"bar\": 0}]"), "/spaces/0", "needs \"size\"");
    check_bad(space(R"("bar": 0, "size": 4, "capability": @@1)"), "/spaces/0/capability",
              "in configuration space");
    check_bad(space(R"("config": true, "capability": 1, "extendedCapability": @@1)"),
              "/spaces/0/extendedCapability", "one capability only");
    check_bad(space(R"("config": true, "capability": @@256)"), "/spaces/0/capability", "at most 0xff");
    check_bad(space(R"("config": true, "extendedCapability": @@"0x10000")"), "/spaces/0/extendedCapability",
              "at most 0xffff");
    check_bad(space(R"("config": true, "capabilityWhere": @@{"offset": 3, "value": 1})"),
              "/spaces/0/capabilityWhere", "needs a capability");
    check_bad(space(R"("config": true, "capability": 9, "capabilityWhere": {"offset": 3, "value": @@256})"),
              "/spaces/0/capabilityWhere/value", "at most 0xff");
    check_bad(
        space(
            R"("config": true, "capability": 9, "capabilityWhere": {"offset": 3, "width": @@64, "value": 1})"),
        "/spaces/0/capabilityWhere/width", "no 64-bit loads");
    check_bad(space(R"("config": true, "accessWidth": @@[32, 64])"), "/spaces/0/accessWidth",
              "no 64-bit loads");
    check_bad(space(R"("bar": 0, "size": 4, "accessWidth": @@[])"), "/spaces/0/accessWidth",
              "no width at all");
    check_bad(space(R"("bar": 0, "size": 4, "accessWidth": [8, @@12])"), "/spaces/0/accessWidth/1",
              "12 bits");
}

TEST_CASE("what spaces are loaded as") {
    const RegisterMap map = must_load(map_text(R"("spaces": [
        {"name": "mem", "bar": "0x2", "size": "1 << 12", "byteOrder": "big", "base": 64, "when": "pci.isVf == 0"},
        {"name": "cfg", "config": true},
        {"name": "isr", "config": true, "capability": "0x09", "capabilityWhere": {"offset": 3, "value": 3}},
        {"name": "aer", "config": true, "extendedCapability": 1, "capabilityWhere": {"offset": 0, "width": 16, "value": 512}}])"));
    REQUIRE(map.spaces.size() == 4);
    const Space& mem = map.spaces[0];
    CHECK(map.text(mem.name) == "mem");
    CHECK(mem.kind == SpaceKind::bar);
    CHECK(constant(map, mem.bar) == 2);
    CHECK(constant(map, mem.size) == 4096);
    CHECK(constant(map, mem.base) == 64);
    CHECK(map.text(map.expressions[mem.when].source) == "pci.isVf == 0");
    CHECK(mem.order == safety::ByteOrder::big);
    CHECK(mem.legal_widths == 0x4);
    CHECK(mem.window_value == none);
    CHECK(map.spaces[1].kind == SpaceKind::config);
    CHECK(map.spaces[1].legal_widths == 0x7);
    CHECK(map.spaces[1].size == none);
    CHECK(map.spaces[2].kind == SpaceKind::capability);
    CHECK(map.spaces[2].capability == 9);
    CHECK(map.spaces[2].where_offset == 3);
    CHECK(map.spaces[2].where_width == 8);
    CHECK(map.spaces[2].where_value == 3);
    CHECK(map.spaces[3].kind == SpaceKind::extended_capability);
    CHECK(map.spaces[3].where_width == 16);
    CHECK(map.spaces[1].where_width == 0);
}

TEST_CASE("a window has a select register in the same BAR that can be read freely") {
    const RegisterMap map = must_load(window("\"SEL\""));
    const Space& w = map.spaces[1];
    CHECK(map.text(map.registers[w.window_select].name) == "SEL");
    CHECK(constant(map, w.window_value) == 0x100);
    CHECK(w.window_at == 2048);
    CHECK(w.window_size == 256);
    CHECK(must_load(window("\"B.SEL\""))
              .registers[must_load(window("\"B.SEL\"")).spaces[1].window_select]
              .offset == 32);
    const std::string at = "/spaces/1/window/select";
    check_bad(window("@@\"SELL\""), at, "no register \"SELL\"");
    check_bad(window("@@\"B\""), at, "no register \"B\"");
    check_bad(window("@@\"SEL.X\""), at, "no register \"SEL.X\"");
    check_bad(window("@@\"MANY\""), at, "array of registers");
    check_bad(window("@@\"POP\""), at, "side effect");
    check_bad(window("@@\"SEL\"", "1"), at, "not in the window's BAR");
    check_bad(window("@@3"), at, "must be a text");
    check_bad(
        map_text(
            R"("spaces": [{"name": "c", "config": true, "window": @@{"select": "S", "value": 1, "at": 0, "size": 4}}])"),
        "/spaces/0/window", "lies in a BAR");
    check_bad(map_text(R"("spaces": [{"name": "c", "bar": 0, "size": 4, "window":
        @@{"select": "S", "value": 1, "at": "0xffffffffffffffff", "size": 4}}])"),
              "/spaces/0/window", "beyond 64 bits");
    // The select register cannot lie behind its own window.
    check_bad(map_text(R"("spaces": [{"name": "w", "bar": 0, "size": 64,
        "window": {"select": @@"S", "value": 1, "at": 0, "size": 64}}],
        "registers": [{"name": "S", "offset": 0, "readAction": "none"}])"),
              "/spaces/0/window/select", "not in the window's BAR");
}

TEST_CASE("a driver's dump holds a space as a whole, or single registers of it") {
    const RegisterMap whole = must_load(space(
        R"("bar": 0, "size": 64, "ethtool": {"driver": ["a", "b"], "version": {"mask": "0xff00", "value": "0x100"},
              "sideEffectFree": true, "dumpOffset": 16})"));
    const Space& s = whole.spaces[0];
    REQUIRE(s.dump_drivers.count == 2);
    CHECK(whole.text(whole.text_list[s.dump_drivers.begin + 1]) == "b");
    CHECK(s.dump_version_mask == 0xff00);
    CHECK(s.dump_version_value == 0x100);
    CHECK(s.dump_side_effect_free);
    CHECK(s.dump_offset == 16);
    CHECK(s.dump_registers.count == 0);

    const RegisterMap single = must_load(
        space(R"("bar": 0, "size": 64, "ethtool": {"driver": "a", "registers": {"A": 8, "B.C": "0x4"}})",
              R"(, "registers": [{"name": "A", "offset": 0, "readAction": "none"}],
              "blocks": [{"name": "B", "registers": [{"name": "C", "offset": 4, "readAction": "none"}]}])"));
    REQUIRE(single.spaces[0].dump_registers.count == 2);
    CHECK_FALSE(single.spaces[0].dump_side_effect_free);
    CHECK(single.text(single.registers[single.dump_registers[0].reg].name) == "A");
    CHECK(single.dump_registers[0].offset == 8);
    CHECK(single.text(single.registers[single.dump_registers[1].reg].name) == "C");
    CHECK(single.dump_registers[1].offset == 4);

    check_bad(space(R"("bar": 0, "size": 64, "ethtool": @@{"driver": "a"})"), "/spaces/0/ethtool", "either");
    check_bad(
        space(
            R"("bar": 0, "size": 64, "ethtool": @@{"driver": "a", "dumpOffset": 0, "registers": {"A": 0}})"),
        "/spaces/0/ethtool", "either");
    check_bad(space(R"("bar": 0, "size": 64, "ethtool": @@{"driver": [], "dumpOffset": 0})"),
              "/spaces/0/ethtool", "no driver");
    check_bad(space(R"("config": true, "ethtool": @@{"driver": "a", "dumpOffset": 0})"), "/spaces/0/ethtool",
              "not configuration space");
    check_bad(space(R"("bar": 0, "size": 64, "ethtool": {"driver": "a", "registers": {"A": @@0}})"),
              "/spaces/0/ethtool/registers/A", "no register \"A\"");
    check_bad(map_text(R"("spaces": [{"name": "a", "bar": 0, "size": 64},
        {"name": "b", "bar": 1, "size": 64, "ethtool": {"driver": "x", "registers": {"A": @@0}}}],
        "registers": [{"name": "A", "offset": 0, "readAction": "none"}])"),
              "/spaces/1/ethtool/registers/A", "not in this space");
}

TEST_CASE("registers without a space, or with one that is not there") {
    check_bad(map_text(R"("registers": [@@{"name": "A", "offset": 0, "readAction": "none"}])"),
              "/registers/0", "no space for this register");
    check_bad(
        bar_map(R"("registers": [{"name": "A", "space": @@"bar1", "offset": 0, "readAction": "none"}])"),
        "/registers/0/space", "no space \"bar1\"");
    check_bad(bar_map(R"("blocks": [{"name": "B", "space": @@"x"}])"), "/blocks/0/space", "no space \"x\"");
    const RegisterMap map =
        must_load(map_text(R"("spaces": [{"name": "a", "bar": 0, "size": 64, "byteOrder": "big"},
        {"name": "b", "bar": 1, "size": 64}],
        "blocks": [{"name": "B", "space": "b", "registers": [
            {"name": "IN_B", "offset": 0, "readAction": "none"},
            {"name": "IN_A", "space": "a", "offset": 0, "readAction": "none"}],
            "blocks": [{"name": "C", "registers": [{"name": "ALSO_B", "offset": 4, "readAction": "none"}]}]}],
        "registers": [{"name": "FIRST", "offset": 4, "readAction": "none"},
                      {"name": "LITTLE", "offset": 8, "readAction": "none", "byteOrder": "little"}])"));
    CHECK(reg_called(map, "IN_B").space == 1);
    CHECK(reg_called(map, "IN_A").space == 0);
    CHECK(reg_called(map, "ALSO_B").space == 1);
    CHECK(reg_called(map, "FIRST").space == 0);
    // Byte order is the space's where the register has none of its own.
    CHECK(reg_called(map, "FIRST").order == safety::ByteOrder::big);
    CHECK(reg_called(map, "LITTLE").order == safety::ByteOrder::little);
    CHECK(reg_called(map, "IN_B").order == safety::ByteOrder::little);
}
