// Read actions, widths, places and overlaps of registers.
#include "regmaps_loader_support.h"

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::string one(const std::string& members) {
    return bar_map("\"registers\": [{\"name\": \"A\",\n" + members + "}]");
}

// Registers in short: "NAME members", each readable without a side effect.
std::string reg(const std::string& name, const std::string& members) {
    return "{\"name\": \"" + name + "\", \"readAction\": \"none\", " + members + "}";
}

// A map of 32-bit registers in one space of 64 KiB.
std::string wide(const std::string& body) {
    return map_text(
        R"("spaces": [{"name": "s", "bar": 0, "size": "0x10000", "accessWidth": [8, 16, 32, 64]}],)"
        "\n" +
        body);
}
std::string registers(const std::string& list) {
    return wide("\"registers\": [" + list + "]");
}

void overlap(const std::string& list, const std::string& pointer, const std::string& says) {
    check_bad(registers(list), pointer, says, "map-registers-overlap");
}

} // namespace

TEST_CASE("a register that can be read says what reading does") {
    for (const std::string access :
         {"", R"("access": "read-only",)", R"("access": "read-write",)", R"("access": "read-writeOnce",)"}) {
        check_bad(bar_map("\"registers\": [@@{\"name\": \"A\", " + access + "\"offset\": 0}]"),
                  "/registers/0", "nothing says what reading it does", "map-no-read-action");
        // A field's own read action does not stand for the register.
        check_bad(bar_map("\"registers\": [@@{\"name\": \"A\", " + access +
                          R"("offset": 0, "fields": [{"name": "F", "bits": "0", "readAction": "none"}]}])"),
                  "/registers/0", "nothing says what reading it does", "map-no-read-action");
    }
    for (const std::string access : {"write-only", "writeOnce"}) {
        const RegisterMap map = must_load(one(R"("offset": 0, "access": ")" + access + "\""));
        CHECK_FALSE(readable(map.registers[0].access));
        CHECK(map.registers[0].read_action == ReadAction::unclaimed);
    }
}

TEST_CASE("a field that can be read in a register that cannot") {
    check_bad(one(R"("offset": 0, "access": "write-only",
        "fields": [{"name": "F", "bits": "0", "access": @@"read-only"}])"),
              "/registers/0/fields/0/access", "in a register that cannot");
}

TEST_CASE("the worst read action of register and fields counts") {
    const auto action = [](const std::string& own, const std::string& first, const std::string& second) {
        return must_load(one(fmt::format(R"("offset": 0, "readAction": "{}", "fields": [
            {{"name": "F", "bits": "1", "readAction": "{}"}}, {{"name": "G", "bits": "0", "readAction": "{}"}}])",
                                         own, first, second)))
            .registers[0]
            .read_action;
    };
    CHECK(action("none", "none", "none") == ReadAction::none);
    CHECK(action("none", "clear", "none") == ReadAction::clear);
    CHECK(action("none", "none", "set") == ReadAction::set);
    CHECK(action("none", "modify", "clear") == ReadAction::modify);
    CHECK(action("none", "clear", "modifyExternal") == ReadAction::modify_external);
    CHECK(action("clear", "none", "none") == ReadAction::clear);
    // A field that says nothing has the register's.
    const RegisterMap map =
        must_load(one(R"("offset": 0, "readAction": "clear", "fields": [{"name": "F", "bits": "0"}])"));
    CHECK(map.fields[0].read_action == ReadAction::clear);
}

TEST_CASE("sentinels can be read without a side effect") {
    check_bad(one(R"("offset": 0, "readAction": "clear", "neverAllOnes": @@true)"),
              "/registers/0/neverAllOnes", "side effect");
    check_bad(one(R"("offset": 0, "access": "write-only", "neverAllOnes": @@true)"),
              "/registers/0/neverAllOnes", "cannot be read");
    check_bad(one(R"("offset": 0, "readAction": "none", "neverAllOnes": @@true,
        "fields": [{"name": "F", "bits": "0", "readAction": "clear"}])"),
              "/registers/0/neverAllOnes", "side effect");
}

TEST_CASE("values fit their register") {
    check_bad(one(R"("offset": 0, "width": 8, "readAction": "none", "resetValue": @@256)"),
              "/registers/0/resetValue", "at most 0xff");
    check_bad(one(R"("offset": 0, "width": 16, "readAction": "none", "writeMask": @@"0x10000")"),
              "/registers/0/writeMask", "at most 0xffff");
    check_bad(one(R"("offset": 0, "readAction": "none", "poison": ["0xdeaddead", @@"0x1deaddead"])"),
              "/registers/0/poison/1", "at most 0xffffffff");
    check_bad(one(R"("offset": 0, "readAction": "none", "poison": [@@{"mask": "0xff00", "value": "0x1f"}])"),
              "/registers/0/poison/0", "outside of the mask");
    check_bad(one(R"("offset": 0, "readAction": "none", "modulus": @@0)"), "/registers/0/modulus",
              "modulus of 0");
}

TEST_CASE("only the widths that the space takes") {
    const auto with_widths = [](const std::string& widths, const std::string& members) {
        return map_text(R"("spaces": [{"name": "s", "bar": 0, "size": 64)" + widths +
                        "}],\n\"registers\": [{\"name\": \"A\", \"readAction\": \"none\", \"offset\": 0, " +
                        members + "}]");
    };
    // A BAR takes 32-bit loads where nothing else is said.
    CHECK(must_load(with_widths("", "\"width\": 32")).spaces[0].legal_widths == 0x4);
    check_bad(with_widths("", "\"width\": @@8"), "/registers/0/width", "takes no 8-bit loads",
              "map-illegal-width");
    check_bad(with_widths("", "\"width\": @@64"), "/registers/0/width", "takes no 64-bit loads",
              "map-illegal-width");
    CHECK(must_load(with_widths("", R"("width": 64, "split": "hi_lo_hi")")).registers[0].split ==
          safety::Split::hi_lo_hi);
    check_bad(with_widths(R"(, "accessWidth": [8, 16])", R"("width": @@64, "split": "hi_lo_hi")"),
              "/registers/0/width", "takes no 32-bit loads", "map-illegal-width");
    check_bad(with_widths("", R"("width": 32, "split": @@"hi_lo_hi")"), "/registers/0/split", "is not split");
    CHECK(must_load(with_widths(R"(, "accessWidth": 8)", "\"width\": 8")).spaces[0].legal_widths == 0x1);
    CHECK(must_load(with_widths(R"(, "accessWidth": [16, 64])", "\"width\": 64")).spaces[0].legal_widths ==
          0xa);
    // The register itself is named where it has no width of its own.
    check_bad(map_text(R"("spaces": [{"name": "s", "bar": 0, "size": 64, "accessWidth": 8}],
        "registers": [@@{"name": "A", "readAction": "none", "offset": 0}])"),
              "/registers/0", "takes no 32-bit loads", "map-illegal-width");
}

TEST_CASE("registers are aligned, as far as the map is known") {
    const std::string cause = "map-misaligned";
    check_bad(one(R"("offset": @@2, "readAction": "none")"), "/registers/0/offset", "not a multiple of 4",
              cause);
    check_bad(one(R"("offset": @@1, "width": 16, "readAction": "none")"), "/registers/0/offset",
              "multiple of 2", cause);
    CHECK(must_load(one(R"("offset": 3, "width": 8, "readAction": "none")")).registers.size() == 1);
    // A 64-bit register at a multiple of 4: as one load it is refused, as two it is accepted.
    check_bad(one(R"("offset": @@4, "width": 64, "readAction": "none")"), "/registers/0/offset",
              "multiple of 8", cause);
    const auto map = load_text(one(R"("offset": 4, "width": 64, "readAction": "none")"));
    CHECK_THAT(map.error().remedy, Catch::Contains("hi_lo_hi"));
    CHECK(must_load(one(R"("offset": 4, "width": 64, "readAction": "none", "split": "hi_lo_hi")"))
              .registers.size() == 1);
    check_bad(one(R"("offset": @@2, "width": 64, "readAction": "none", "split": "hi_lo_hi")"),
              "/registers/0/offset", "multiple of 4", cause);
    // The base of the block, the stride, and the base of the space count too.
    check_bad(bar_map(R"("blocks": [{"name": "B", "base": 2, "registers": [
        {"name": "A", "offset": @@4, "readAction": "none"}]}])"),
              "/blocks/0/registers/0/offset", "multiple of 4", cause);
    check_bad(one(R"("offset": 0, "readAction": "none", "array": {"count": 2, "stride": @@6})"),
              "/registers/0/array/stride", "misaligned", cause);
    check_bad(bar_map(R"("blocks": [{"name": "B", "array": {"count": "1 + 1", "stride": @@6},
        "registers": [{"name": "A", "offset": 0, "readAction": "none"}]}])"),
              "/blocks/0/array/stride", "misaligned", cause);
    check_bad(map_text(R"("spaces": [{"name": "s", "bar": 0, "base": 2, "size": 64}],
        "registers": [{"name": "A", "readAction": "none", "offset": @@0}])"),
              "/registers/0/offset", "multiple of 4", cause);
}

TEST_CASE("registers lie within their space") {
    const std::string cause = "map-outside-space";
    CHECK(must_load(one(R"("offset": "0xffc", "readAction": "none")")).registers.size() == 1);
    check_bad(one(R"("offset": @@"0x1000", "readAction": "none")"), "/registers/0/offset", "0x1004", cause);
    check_bad(one(R"("offset": @@"0xffffffffffffffff", "width": 8, "readAction": "none")"),
              "/registers/0/offset", "beyond 64 bits", cause);
    check_bad(one(R"("offset": @@"0xffc", "readAction": "none", "array": {"count": 2, "stride": 4})"),
              "/registers/0/offset", "ends at 0x1004", cause);
    check_bad(
        one(R"("offset": @@0, "readAction": "none", "array": {"count": 2, "stride": "0xfffffffffffffffc"})"),
        "/registers/0/offset", "beyond 64 bits", cause);
    check_bad(bar_map(R"("blocks": [{"name": "B", "base": "0x800", "array": {"count": 3, "stride": "0x400"},
        "registers": [{"name": "A", "offset": @@0, "readAction": "none"}]}])"),
              "/blocks/0/registers/0/offset", "ends at 0x1004", cause);
    check_bad(map_text(R"("spaces": [{"name": "c", "config": true}],
        "registers": [{"name": "A", "offset": @@"0x1000", "readAction": "none"}])"),
              "/registers/0/offset", "0x1000 bytes", cause);
    // A window is a page: its registers end with it.
    check_bad(map_text(R"("spaces": [{"name": "m", "bar": 0, "size": "0x1000"},
        {"name": "w", "bar": 0, "size": "0x1000", "window": {"select": "SEL", "value": 1, "at": "0x800", "size": "0x100"}}],
        "registers": [{"name": "SEL", "space": "m", "offset": 0, "readAction": "none"},
                      {"name": "W", "space": "w", "offset": @@"0x100", "readAction": "none"}])"),
              "/registers/1/offset", "0x100 bytes", cause);
    // A size or base that depends on the device is for the device to tell.
    CHECK(must_load(map_text(R"("spaces": [{"name": "s", "bar": 0, "size": "present(c) ? 4096 : 8192"},
        {"name": "c", "config": true}], "registers": [{"name": "A", "offset": "0x10000", "readAction": "none"}])"))
              .registers.size() == 1);
}

TEST_CASE("arrays have elements, and not too many") {
    check_bad(one(R"("offset": 0, "readAction": "none", "array": {"count": @@0, "stride": 4})"),
              "/registers/0/array/count", "without elements");
    check_bad(one(R"("offset": 0, "readAction": "none", "array": {"count": @@65537, "stride": 4})"),
              "/registers/0/array/count", "65537 elements");
    check_bad(one(R"("offset": 0, "readAction": "none", "array": {"count": 2, "stride": @@0})"),
              "/registers/0/array/stride", "same place");
    CHECK(must_load(one(R"("offset": 0, "readAction": "none", "array": {"count": 1, "stride": 0})"))
              .registers.size() == 1);
    check_bad(bar_map(R"("blocks": [{"name": "A", "array": {"count": 2, "stride": 64}, "blocks": [
        {"name": "B", "array": {"count": 2, "stride": 32}, "blocks": [
        {"name": "C", "array": {"count": 2, "stride": 16}, "registers": [
        {"name": "R", "offset": 0, "readAction": "none", "array": @@{"count": 2, "stride": 4}}]}]}]}])"),
              "/blocks/0/blocks/0/blocks/0/registers/0/array", "nest deeper than 3");
    check_bad(bar_map(R"("blocks": [{"name": "A", "array": {"count": 2, "stride": 64}, "blocks": [
        {"name": "B", "array": {"count": 2, "stride": 32}, "blocks": [
        {"name": "C", "array": {"count": 2, "stride": 16}, "blocks": [
        {"name": "D", "array": @@{"count": 2, "stride": 4}}]}]}]}])"),
              "/blocks/0/blocks/0/blocks/0/blocks/0/array", "nest deeper than 3");
}

TEST_CASE("single registers over the same bytes") {
    overlap(reg("A", "\"offset\": 0") + ",\n" + reg("B", "\"offset\": @@0"), "/registers/1/offset",
            "\"B\" overlaps \"A\"");
    // Reported at the later one in the map, whichever lies lower.
    overlap(reg("A", R"("offset": 8, "width": 64)") + "," + reg("B", R"("offset": @@12, "width": 8)"),
            "/registers/1/offset", "\"B\" overlaps \"A\" at 0xc");
    overlap(reg("A", R"("offset": 12, "width": 8)") + "," + reg("B", R"("offset": @@8, "width": 64)"),
            "/registers/1/offset", "\"B\" overlaps \"A\" at 0xc");
    CHECK(must_load(registers(reg("A", R"("offset": 0, "width": 8)") + "," +
                              reg("B", R"("offset": 1, "width": 8)")))
              .registers.size() == 2);
    // Not in order, and one far away hides nothing.
    overlap(reg("Z", "\"offset\": 100") + "," + reg("A", R"("offset": 0, "width": 64)") + "," +
                reg("B", "\"offset\": 50000") + "," + reg("C", "\"offset\": @@4"),
            "/registers/3/offset", "\"C\" overlaps \"A\"");
    // Different spaces are different bytes.
    CHECK(
        must_load(
            map_text(R"("spaces": [{"name": "a", "bar": 0, "size": 64}, {"name": "b", "bar": 1, "size": 64}],
        "registers": [{"name": "A", "offset": 0, "readAction": "none"},
                      {"name": "B", "space": "b", "offset": 0, "readAction": "none"}])"))
            .registers.size() == 2);
}

TEST_CASE("what may overlap: alternates, and registers that both have a when") {
    CHECK(
        must_load(registers(reg("A", "\"offset\": 0") + "," + reg("B", R"("offset": 0, "alternate": true)")))
            .registers[1]
            .alternate);
    CHECK(must_load(registers(reg("A", R"("offset": 0, "when": "pci.revision == 1")") + "," +
                              reg("B", R"("offset": 0, "when": "pci.revision == 2")")))
              .registers.size() == 2);
    overlap(reg("A", R"("offset": 0, "when": "pci.revision == 1")") + "," + reg("B", "\"offset\": @@0"),
            "/registers/1/offset", "overlaps");
    overlap(reg("A", "\"offset\": 0") + "," + reg("B", R"("offset": @@0, "when": "pci.revision == 1")"),
            "/registers/1/offset", "overlaps");
    // A wide conditional one, an unconditional one behind its beginning.
    overlap(reg("A", R"("offset": 0, "width": 64, "when": "pci.revision")") + "," +
                reg("B", R"("offset": 0, "width": 8, "when": "pci.revision")") + "," +
                reg("C", R"("offset": @@4)"),
            "/registers/2/offset", "\"C\" overlaps \"A\"");
    // A block's when counts for its registers.
    CHECK(must_load(wide(R"("blocks": [{"name": "X", "when": "pci.revision == 1", "registers": [)" +
                         reg("A", "\"offset\": 0") +
                         R"(]}, {"name": "Y", "when": "pci.revision == 2", "registers": [)" +
                         reg("A", "\"offset\": 0") + "]}]"))
              .registers.size() == 2);
}

TEST_CASE("arrays that interleave do not overlap") {
    // NVMe: SQyTDBL at 0x1000 + 2y * 4, CQyHDBL at 0x1000 + (2y + 1) * 4.
    const std::string doorbells = reg("SQ", R"("offset": "0x1000", "array": {"count": 1000, "stride": 8})") +
                                  "," +
                                  reg("CQ", R"("offset": "0x1004", "array": {"count": 1000, "stride": 8})");
    CHECK(must_load(registers(doorbells)).registers.size() == 2);
    // The same with different counts: not one group, but still no overlap.
    CHECK(must_load(registers(reg("SQ", R"("offset": "0x1000", "array": {"count": 10, "stride": 8})") + "," +
                              reg("CQ", R"("offset": "0x1004", "array": {"count": 12, "stride": 8})")))
              .registers.size() == 2);
    // A single register in a gap, and one on an element.
    CHECK(must_load(registers(reg("SQ", R"("offset": 0, "array": {"count": 10, "stride": 8})") + "," +
                              reg("X", "\"offset\": 44")))
              .registers.size() == 2);
    overlap(reg("SQ", R"("offset": 0, "array": {"count": 10, "stride": 8})") + "," +
                reg("X", "\"offset\": @@48"),
            "/registers/1/offset", "\"X\" overlaps \"SQ\" at 0x30");
    overlap(reg("SQ", R"("offset": 0, "array": {"count": 10, "stride": 8})") + "," +
                reg("CQ", R"("offset": @@4, "array": {"count": 10, "stride": 12})"),
            "/registers/1/offset", "\"CQ\" overlaps \"SQ\" at 0x10"); // 4 + 12 = 16 = 2 * 8
    // Equal periods that meet only in the second period.
    overlap(reg("A", R"("offset": 0, "array": {"count": 4, "stride": 16})") + "," +
                reg("B", R"("offset": @@16, "array": {"count": 4, "stride": 16})"),
            "/registers/1/offset", "\"B\" overlaps \"A\" at 0x10");
    // The same residue, but one ends before the other begins.
    CHECK(must_load(registers(reg("A", R"("offset": 0, "array": {"count": 4, "stride": 16})") + "," +
                              reg("B", R"("offset": 64, "array": {"count": 4, "stride": 16})")))
              .registers.size() == 2);
}

TEST_CASE("elements of one array do not overlap each other") {
    overlap(
        reg("A", R"("offset": @@0, "width": 64, "array": {"count": 2, "stride": 4}, "split": "hi_lo_hi")"),
        "/registers/0/offset", "elements of the array \"A\" overlap");
    check_bad(wide(R"("blocks": [{"name": "B", "array": {"count": 4, "stride": 16}, "registers": [)" +
                   reg("X", "\"offset\": 0") + "," + reg("Y", "\"offset\": @@32") + "]}]"),
              "/blocks/0/registers/1/offset", "\"B.Y\" overlaps \"B.X\"", "map-registers-overlap");
    // Registers of one element reach into the next, but only where it has a gap.
    CHECK(must_load(wide(R"("blocks": [{"name": "B", "array": {"count": 4, "stride": 16}, "registers": [)" +
                         reg("X", "\"offset\": 0") + "," + reg("Y", "\"offset\": 36") + "]}]"))
              .registers.size() == 2);
}

TEST_CASE("arrays in blocks that are arrays") {
    const auto nested = [](const std::string& outer_stride, const std::string& extra) {
        return wide(R"("blocks": [{"name": "Q", "array": {"count": 4, "stride": )" + outer_stride +
                    R"(}, "registers": [)" + reg("X", R"("offset": 0, "array": {"count": 8, "stride": 4})") +
                    R"(], "blocks": [
                        {"name": "R", "base": 32, "array": {"count": 2, "stride": 16}, "registers": [)" +
                    reg("Y", R"("offset": 0, "array": {"count": 3, "stride": 4})") + "]}]}]" + extra);
    };
    CHECK(must_load(nested("64", "")).registers.size() == 2);
    // 32 + 16 + 8 + 4 = 60 bytes are used, so that a register fits behind the last word of each element only.
    CHECK(must_load(nested("64", ",\"registers\": [" + reg("Z", "\"offset\": 60") + "]")).registers.size() ==
          3);
    check_bad(nested("48", "").replace(nested("48", "").find("\"offset\": 0, \"array\": {\"count\": 3"), 11,
                                       "\"offset\": @@0"),
              "/blocks/0/blocks/0/registers/0/offset", "overlaps", "map-registers-overlap");
    std::string text =
        nested("64", ",\"registers\": [" + reg("Z", "\"offset\": @@240") + "]"); // 3 * 64 + 32 + 16
    // Single registers come first in the tables, so that the block's register is the later one.
    text.erase(text.find("@@"), 2);
    text.insert(text.find("\"offset\": 0, \"array\": {\"count\": 3") + 10, "@@");
    check_bad(text, "/blocks/0/blocks/0/registers/0/offset", "\"Q.R.Y\" overlaps \"Z\" at 0xf0",
              "map-registers-overlap");
}

TEST_CASE("what is not constant is compared as far as it is known") {
    // The stride depends on the device: element 0 only.
    CHECK(
        must_load(registers(reg("CAP", "\"offset\": 0") + "," +
                            reg("SQ", R"("offset": "0x1000", "array": {"count": 4, "stride": "4 << CAP"})") +
                            "," +
                            reg("CQ", R"("offset": "0x1004", "array": {"count": 4, "stride": "4 << CAP"})")))
            .registers.size() == 3);
    overlap(reg("CAP", "\"offset\": 0") + "," +
                reg("SQ", R"("offset": "0x1000", "array": {"count": 4, "stride": "4 << CAP"})") + "," +
                reg("CQ", R"("offset": @@"0x1000", "array": {"count": 4, "stride": "4 << CAP"})"),
            "/registers/2/offset", "\"CQ\" overlaps \"SQ\"");
    // A block whose base depends on the device is compared with itself only.
    const std::string block =
        R"("blocks": [{"name": "B", "base": "CAP", "registers": [)" + reg("X", "\"offset\": 0");
    CHECK(must_load(wide("\"registers\": [" + reg("CAP", "\"offset\": 0") + "], " + block + "]}]"))
              .registers.size() == 2);
    check_bad(wide("\"registers\": [" + reg("CAP", "\"offset\": 0") + "], " + block + "," +
                   reg("Y", "\"offset\": @@0") + "]}]"),
              "/blocks/0/registers/1/offset", "\"B.Y\" overlaps \"B.X\"", "map-registers-overlap");
}

TEST_CASE("arrays without end that interleave are refused, not expanded") {
    const std::string inner = R"("array": {"count": 65536, "stride": 4294967296}, "readAction": "none")";
    const auto started = std::chrono::steady_clock::now();
    const auto map = load_text(map_text(
        R"("spaces": [{"name": "s", "bar": 0, "size": "0xffffffffffffffff", "accessWidth": [8, 32]}], "blocks": [
           {"name": "A", "array": {"count": 65536, "stride": 64}, "registers": [{"name": "R", "offset": 0, )" +
        inner +
        R"(}]}, {"name": "B", "array": {"count": 65535, "stride": 32}, "registers": [{"name": "R", "offset": 16, )" +
        inner + "}]}]"));
    REQUIRE_FALSE(map.has_value());
    CHECK_THAT(map.error().what, Catch::Contains("too many elements"));
    CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(5));
}
