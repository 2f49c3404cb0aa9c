#include "regmaps_layout_device.h"

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;
using Names = std::vector<std::string>;

namespace {

const std::string bar0 = R"("spaces": [{"name": "mem", "bar": 0, "size": "0x10000"}])";

} // namespace

TEST_CASE("registers are placed by offset, whatever the order of definition") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "C", "offset": 8, "readAction": "none"},
        {"name": "A", "offset": 0, "readAction": "none"},
        {"name": "B", "offset": "0x4", "readAction": "none"}])");
    const Layout layout = TestDevice{}.must_place(map);
    CHECK(names(map, layout) == Names{"A", "B", "C"});
    CHECK(layout.instances[2].offset == 8);
    CHECK(layout.missing.empty());
}

TEST_CASE("registers of several spaces are grouped by space, then by offset") {
    const RegisterMap map = load(R"("spaces": [
        {"name": "one", "bar": 0, "size": 64}, {"name": "two", "bar": 2, "base": "0x1000", "size": 64}],
        "registers": [
        {"name": "B2", "space": "two", "offset": 4, "readAction": "none"},
        {"name": "B1", "space": "one", "offset": 4, "readAction": "none"},
        {"name": "A2", "space": "two", "offset": 0, "readAction": "none"},
        {"name": "A1", "space": "one", "offset": 0, "readAction": "none"}])");
    const Layout layout = TestDevice{}.must_place(map);
    CHECK(names(map, layout) == Names{"A1", "B1", "A2", "B2"});
    CHECK(offset_of(map, layout, "B2") == 0x1004);
    CHECK(layout.spaces[1].bar == 2);
    CHECK(layout.spaces[1].base == 0x1000);
}

// NVM Express over PCIe Transport Specification 1.0, section 3.1.2: the submission queue y tail doorbell is
// at 0x1000 + 2y * (4 << CAP.DSTRD), the completion queue y head doorbell at 0x1000 + (2y + 1) * (4 <<
// CAP.DSTRD).
TEST_CASE("the stride of an array may come from a register that is read first, and once") {
    const RegisterMap map = load(R"("spaces": [
        {"name": "nvme", "bar": 0, "size": "0x1000"},
        {"name": "db", "bar": 0, "base": "0x1000", "size": "0x1000"}],
        "registers": [{"name": "CAP", "space": "nvme", "offset": 0, "width": 64, "readAction": "none",
            "split": "hi_lo_hi", "fields": [{"name": "DSTRD", "bits": "35:32"}]}],
        "blocks": [
        {"name": "SQ", "space": "db", "array": {"count": 3, "stride": "8 << CAP.DSTRD", "index": "y"},
         "registers": [{"name": "TDBL", "offset": 0, "access": "write-only"}]},
        {"name": "CQ", "space": "db", "base": "4 << CAP.DSTRD",
         "array": {"count": 3, "stride": "8 << CAP.DSTRD", "index": "y"},
         "registers": [{"name": "HDBL", "offset": 0, "access": "write-only"}]}])");
    TestDevice device;
    device.values["CAP"] = std::uint64_t{2} << 32;
    const Layout layout = device.must_place(map);
    CHECK(device.asked == Names{"CAP"});
    CHECK(names(map, layout) ==
          Names{"CAP", "SQ[0].TDBL", "CQ[0].HDBL", "SQ[1].TDBL", "CQ[1].HDBL", "SQ[2].TDBL", "CQ[2].HDBL"});
    CHECK(offset_of(map, layout, "SQ[2].TDBL") == 0x1000 + 2 * 2 * (4 << 2));
    CHECK(offset_of(map, layout, "CQ[2].HDBL") == 0x1000 + (2 * 2 + 1) * (4 << 2));
}

TEST_CASE("what depends on a register that was not read is missing, with why") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "N", "offset": 0, "readAction": "none"},
        {"name": "Q", "offset": 16, "readAction": "none", "array": {"count": "N", "stride": 4, "index": "i"}},
        {"name": "W", "offset": 4, "readAction": "none", "when": "N == 3"}])");
    TestDevice device; // N is asked for, and fails
    const Layout layout = device.must_place(map);
    CHECK(device.asked == Names{"N"});
    CHECK(names(map, layout) == Names{"N"});
    CHECK(missing_called(map, layout, "Q").unknown);
    CHECK(missing_called(map, layout, "Q").why == "N cannot be decided: N was not read");
    CHECK(missing_called(map, layout, "W").unknown);
    CHECK(missing_called(map, layout, "W").why == "N == 3 cannot be decided: N was not read");
}

TEST_CASE("a register that reading would change is never asked for, not even to place others") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "ICR", "offset": 0, "readAction": "clear"},
        {"name": "KEY", "offset": 8, "access": "write-only"},
        {"name": "A", "offset": 16, "readAction": "none", "when": "ICR == 1"},
        {"name": "B", "offset": 20, "readAction": "none", "when": "KEY == 1"}])");
    TestDevice device;
    device.values = {{"ICR", 1}, {"KEY", 1}};
    const Layout layout = device.must_place(map);
    CHECK(device.asked.empty());
    CHECK(names(map, layout) == Names{"ICR", "KEY"});
    CHECK(missing_called(map, layout, "A").unknown);
    CHECK(missing_called(map, layout, "A").why.find("ICR is not read") != std::string_view::npos);
    CHECK(missing_called(map, layout, "B").why.find("KEY is not read") != std::string_view::npos);
}

TEST_CASE("a condition that does not hold leaves the register out, and says which") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "CAP", "offset": 0, "readAction": "none", "fields": [{"name": "PMRS", "bits": "7"}]},
        {"name": "PMR", "offset": 4, "readAction": "none", "when": "CAP.PMRS == 1"},
        {"name": "OLD", "offset": 8, "readAction": "none", "when": "pci.revision < 2"}])");
    TestDevice device;
    device.values["CAP"] = 0x80;
    device.pci.revision = 2;
    CHECK(names(map, device.must_place(map)) == Names{"CAP", "PMR"});
    TestDevice other;
    other.values["CAP"] = 0x7f;
    other.pci.revision = 1;
    const Layout layout = other.must_place(map);
    CHECK(names(map, layout) == Names{"CAP", "OLD"});
    CHECK_FALSE(missing_called(map, layout, "PMR").unknown);
    CHECK(missing_called(map, layout, "PMR").why == "CAP.PMRS == 1 does not hold");
}

TEST_CASE("only what a condition needs is asked for") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "A", "offset": 0, "readAction": "none"},
        {"name": "B", "offset": 4, "readAction": "none"},
        {"name": "X", "offset": 8, "readAction": "none", "when": "A && B"}])");
    TestDevice device;
    device.values = {{"A", 0}, {"B", 1}};
    // Both are asked for at once: a second round would cost more than a load. Neither more than once.
    device.must_place(map);
    CHECK(std::set<std::string>(device.asked.begin(), device.asked.end()).size() == device.asked.size());
}

TEST_CASE("chains of dependence are read one after the other") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "A", "offset": 0, "readAction": "none"},
        {"name": "B", "offset": 4, "readAction": "none", "array": {"count": "A", "stride": 4, "index": "i"}},
        {"name": "C", "offset": "0x100", "readAction": "none", "array": {"count": "B[A - 1]", "stride": 4, "index": "i"}},
        {"name": "D", "offset": "0x200", "readAction": "none", "when": "C[1] == 7"}])");
    TestDevice device;
    device.values = {{"A", 3}, {"B[2]", 2}, {"C[1]", 7}};
    const Layout layout = device.must_place(map);
    CHECK(device.asked == Names{"A", "B[2]", "C[1]"});
    CHECK(names(map, layout) == Names{"A", "B[0]", "B[1]", "B[2]", "C[0]", "C[1]", "D"});
}

TEST_CASE("a reference beyond an array is not read") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "N", "offset": 0, "readAction": "none"},
        {"name": "B", "offset": 4, "readAction": "none", "array": {"count": "N", "stride": 4, "index": "i"}},
        {"name": "D", "offset": "0x200", "readAction": "none", "when": "B[N] == 7"}])");
    TestDevice device;
    device.values = {{"N", 2}, {"B[2]", 7}};
    const Layout layout = device.must_place(map);
    CHECK(device.asked == Names{"N"});
    CHECK(missing_called(map, layout, "D").unknown);
}

TEST_CASE("blocks nest, and their bases, strides and conditions may use the indices around them") {
    const RegisterMap map = load(bar0 + R"(, "blocks": [
        {"name": "PORT", "base": "0x1000", "array": {"count": 2, "stride": "0x400", "index": "p"}, "blocks": [
            {"name": "Q", "base": "0x10 * p", "array": {"count": "p + 1", "stride": "0x20", "index": "q"},
             "when": "p == 0 || q != 0", "registers": [
                {"name": "R", "offset": 4, "readAction": "none", "array": {"count": 2, "stride": 8, "index": "r"}},
                {"name": "S", "offset": 8, "readAction": "none", "when": "q > 0"}]}]
}])");
    const Layout layout = TestDevice{}.must_place(map);
    CHECK(names(map, layout) == Names{"PORT[0].Q[0].R[0]", "PORT[0].Q[0].R[1]", "PORT[1].Q[1].R[0]",
                                      "PORT[1].Q[1].S", "PORT[1].Q[1].R[1]"});
    CHECK(offset_of(map, layout, "PORT[0].Q[0].R[1]") == 0x100c);
    // 0x1000 + 1 * 0x400 + 0x10 * 1 + 1 * 0x20 + 4 + 1 * 8
    CHECK(offset_of(map, layout, "PORT[1].Q[1].R[1]") == 0x143c);
    CHECK(offset_of(map, layout, "PORT[1].Q[1].S") == 0x1438);
}

TEST_CASE("capability spaces are where the device has them") {
    const RegisterMap map = load(R"("spaces": [
        {"name": "cfg", "config": true},
        {"name": "exp", "config": true, "capability": "0x10"},
        {"name": "pm", "config": true, "capability": "0x01"},
        {"name": "aer", "config": true, "extendedCapability": "0x0001"},
        {"name": "dsn", "config": true, "extendedCapability": "0x0003"}],
        "registers": [
        {"name": "VID", "space": "cfg", "offset": 0, "width": 16, "readAction": "none"},
        {"name": "LNKSTA", "space": "exp", "offset": "0x12", "width": 16, "readAction": "none"},
        {"name": "PMCSR", "space": "pm", "offset": 4, "width": 16, "readAction": "none"},
        {"name": "UESTA", "space": "aer", "offset": 4, "width": 32, "readAction": "none"},
        {"name": "SERIAL", "space": "dsn", "offset": 4, "width": 32, "readAction": "none"}])");
    TestDevice device;
    device.capabilities[{false, 0x10}] = {0xac, 0xc0};
    device.capabilities[{true, 0x0001}] = {0x100};
    const Layout layout = device.must_place(map);
    CHECK(names(map, layout) == Names{"VID", "LNKSTA", "UESTA"});
    CHECK(offset_of(map, layout, "LNKSTA") == 0xac + 0x12);
    CHECK(offset_of(map, layout, "UESTA") == 0x104);
    CHECK(layout.spaces[1].config);
    CHECK(layout.spaces[0].size == 4096);
    CHECK(layout.spaces[1].size == 256 - 0xac);
    CHECK(layout.spaces[3].size == 4096 - 0x100);
    CHECK(missing_called(map, layout, "PMCSR").why == "capability 0x01 is not present");
    CHECK_FALSE(missing_called(map, layout, "PMCSR").unknown);
    CHECK(missing_called(map, layout, "SERIAL").why == "extended capability 0x0003 is not present");
}

// Virtual I/O Device specification 1.2, 4.1.4: several vendor capabilities (id 0x09) differ in cfg_type,
// byte 3.
TEST_CASE("of several capabilities of one id, the first that fits is taken") {
    const RegisterMap map = load(R"("spaces": [
        {"name": "isr", "config": true, "capability": 9, "capabilityWhere": {"offset": 3, "width": 8, "value": 3}},
        {"name": "dev", "config": true, "capability": 9, "capabilityWhere": {"offset": 3, "width": 8, "value": 4}},
        {"name": "none", "config": true, "capability": 9, "capabilityWhere": {"offset": 3, "width": 8, "value": 9}}],
        "registers": [
        {"name": "ISR_BAR", "space": "isr", "offset": 4, "width": 8, "readAction": "none"},
        {"name": "DEV_BAR", "space": "dev", "offset": 4, "width": 8, "readAction": "none"},
        {"name": "NO_BAR", "space": "none", "offset": 4, "width": 8, "readAction": "none"}])");
    TestDevice device;
    device.capabilities[{false, 9}] = {0x40, 0x50, 0x60, 0x70};
    device.config = {{0x43, 1}, {0x53, 3}, {0x63, 3}, {0x73, 4}};
    const Layout layout = device.must_place(map);
    CHECK(offset_of(map, layout, "ISR_BAR") == 0x54);
    CHECK(offset_of(map, layout, "DEV_BAR") == 0x74);
    CHECK_FALSE(missing_called(map, layout, "NO_BAR").unknown);

    device.config.erase(0x43); // cannot be read: it may have been the one
    const Layout blind = device.must_place(map);
    CHECK(missing_called(map, blind, "ISR_BAR").unknown);
}

TEST_CASE("without configuration space, capability spaces are unknown rather than absent") {
    const RegisterMap map = load(R"("spaces": [{"name": "exp", "config": true, "capability": "0x10"}],
        "registers": [{"name": "LNKSTA", "offset": "0x12", "width": 16, "readAction": "none"}])");
    const auto layout = place_map(map, LayoutInputs{});
    REQUIRE(layout);
    CHECK(layout->spaces[0].state == SpaceState::unknown);
    CHECK(missing_called(map, *layout, "LNKSTA").unknown);
}

// Linux gives an unprivileged reader the first 64 bytes (pci-sysfs.c, pci_read_config).
TEST_CASE("what lies beyond the readable part of configuration space is unknown rather than absent") {
    const RegisterMap map = load(R"("spaces": [{"name": "exp", "config": true, "capability": "0x10"}],
        "registers": [{"name": "LNKSTA", "offset": "0x12", "width": 16, "readAction": "none"}])");
    TestDevice device;
    LayoutInputs inputs = device.inputs(map);
    for (const std::uint32_t size : {64U, 256U, 4096U}) {
        inputs.config_size = size;
        const auto layout = place_map(map, inputs);
        REQUIRE(layout);
        CHECK(missing_called(map, *layout, "LNKSTA").unknown == (size == 64));
    }
}

TEST_CASE("a BAR's number and a space's base may come from registers") {
    const RegisterMap map = load(R"("spaces": [
        {"name": "vcap", "config": true, "capability": 9},
        {"name": "isr", "bar": "VBAR", "base": "VOFF", "size": 4, "accessWidth": [8, 32]}],
        "registers": [
        {"name": "VBAR", "space": "vcap", "offset": 4, "width": 8, "readAction": "none"},
        {"name": "VOFF", "space": "vcap", "offset": 8, "readAction": "none"},
        {"name": "ISR", "space": "isr", "offset": 0, "width": 8, "readAction": "clear"}])");
    TestDevice device;
    device.capabilities[{false, 9}] = {0x40};
    device.values = {{"VBAR", 4}, {"VOFF", 0x1000}};
    const Layout layout = device.must_place(map);
    CHECK(layout.spaces[1].bar == 4);
    CHECK(offset_of(map, layout, "ISR") == 0x1000);
    device.values["VBAR"] = 7;
    const Layout bad = device.must_place(map);
    CHECK(missing_called(map, bad, "ISR").why == "there is no BAR 7");
}

TEST_CASE("spaces may depend on one another") {
    const RegisterMap map = load(R"("spaces": [
        {"name": "exp", "config": true, "capability": "0x10"},
        {"name": "mem", "bar": 0, "size": 64, "when": "present(exp) != 0"}],
        "registers": [{"name": "R", "space": "mem", "offset": 0, "readAction": "none"}])");
    TestDevice device;
    CHECK(missing_called(map, device.must_place(map), "R").why == "present(exp) != 0 does not hold");
    device.capabilities[{false, 0x10}] = {0x40};
    CHECK(names(map, device.must_place(map)) == Names{"R"});
}

TEST_CASE("a windowed space's registers count from the window's place") {
    const RegisterMap map = load(R"("spaces": [
        {"name": "grc", "bar": 0, "size": "0x1000"},
        {"name": "health", "bar": 0, "size": "0x1000",
         "window": {"select": "BASE", "value": "PAGE << 12", "at": "0x3000", "size": "0x1000"}}],
        "registers": [
        {"name": "BASE", "space": "grc", "offset": "0x408", "readAction": "none"},
        {"name": "PAGE", "space": "grc", "offset": "0x40c", "readAction": "none"},
        {"name": "BEAT", "space": "health", "offset": "0x24", "readAction": "none"}])");
    TestDevice device;
    device.values["PAGE"] = 0x31001;
    const Layout layout = device.must_place(map);
    CHECK(offset_of(map, layout, "BEAT") == 0x3024);
    CHECK(layout.spaces[1].base == 0x3000);
    CHECK(layout.spaces[1].size == 0x1000);
    REQUIRE(layout.spaces[1].window_select);
    CHECK(layout.spaces[1].window_select->offset == 0x408);
    CHECK(layout.spaces[1].window_value == 0x31001000);
    CHECK_FALSE(layout.spaces[0].window_select);
    // The select register itself is read when the window is, not before.
    CHECK(device.asked == Names{"PAGE"});
}

TEST_CASE("an array longer than the format allows is an error that names the register") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "N", "offset": 0, "readAction": "none"},
        {"name": "Q", "offset": 16, "readAction": "none", "array": {"count": "N", "stride": 4, "index": "i"}}])");
    TestDevice device;
    device.values["N"] = 65536;
    CHECK(device.must_place(map).instances.size() == 65537);
    device.values["N"] = 65537;
    const auto layout = device.place(map);
    REQUIRE_FALSE(layout);
    CHECK(layout.error().code == ErrorCode::bad_input);
    CHECK(layout.error().cause == "array-too-long");
    CHECK(layout.error().what.find("Q would have 65537 elements") != std::string::npos);
}

TEST_CASE("the number of registers as a whole is bounded") {
    const RegisterMap map = load(bar0 + R"(, "blocks": [
        {"name": "A", "array": {"count": "pci.device", "stride": 64, "index": "i"}, "blocks": [
            {"name": "B", "array": {"count": "pci.device", "stride": 4, "index": "j"}, "registers": [
                {"name": "R", "offset": 0, "readAction": "none"}]}]}])");
    TestDevice device;
    device.max_instances = 100;
    device.pci.device = 10;
    CHECK(device.must_place(map).instances.size() == 100);
    device.pci.device = 11;
    const auto layout = device.place(map);
    REQUIRE_FALSE(layout);
    CHECK(layout.error().code == ErrorCode::bad_input);
    CHECK(layout.error().cause == "too-many-registers");
    device.pci.device = 65535; // 65,535 squared: refused without making them
    CHECK_FALSE(device.place(map));
}

TEST_CASE("nothing wraps around at 64 bits") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "N", "offset": 0, "width": 32, "readAction": "none"},
        {"name": "Q", "offset": 16, "readAction": "none",
         "array": {"count": 3, "stride": "N << 60", "index": "i"}}],
        "blocks": [{"name": "B", "base": "~0 - 3 * !N", "registers": [{"name": "R", "offset": 8, "readAction": "none"}]}])");
    TestDevice device;
    device.values["N"] = 8; // strides of 2^63
    const Layout layout = device.must_place(map);
    CHECK(names(map, layout) == Names{"N", "Q[0]", "Q[1]"});
    CHECK(missing_called(map, layout, "Q").unknown);
    CHECK(missing_called(map, layout, "Q").why == "its offset does not fit 64 bits");
    CHECK(missing_called(map, layout, "R").why == "its offset does not fit 64 bits");
}

TEST_CASE("elements of stride 0 would lie over one another") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "N", "offset": 0, "readAction": "none"},
        {"name": "Q", "offset": 16, "readAction": "none", "array": {"count": 3, "stride": "N", "index": "i"}}])");
    TestDevice device;
    device.values["N"] = 0;
    const Layout layout = device.must_place(map);
    CHECK(names(map, layout) == Names{"N"});
    CHECK(missing_called(map, layout, "Q").why.find("stride is 0") != std::string_view::npos);
}

TEST_CASE("an empty array is missing, and not unknown") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "N", "offset": 0, "readAction": "none"},
        {"name": "Q", "offset": 16, "readAction": "none", "array": {"count": "N", "stride": 4, "index": "i"}}])");
    TestDevice device;
    device.values["N"] = 0;
    const Layout layout = device.must_place(map);
    CHECK_FALSE(missing_called(map, layout, "Q").unknown);
    CHECK(missing_called(map, layout, "Q").why == "its array is empty (N is 0)");
}

TEST_CASE("a register whose own field says whether it is meant is read to find out") {
    RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "A", "offset": 0, "readAction": "none", "alternate": true,
         "fields": [{"name": "TYPE", "bits": "3:0"}, {"name": "X", "bits": "7:4", "when": "TYPE == 1"}]},
        {"name": "B", "offset": 0, "readAction": "none", "alternate": true,
         "fields": [{"name": "TYPE", "bits": "3:0"}, {"name": "X", "bits": "7:4", "when": "TYPE == 2"}]}])");
    std::vector<Register> registers(map.registers.begin(), map.registers.end());
    for (Register& reg : registers) { // the condition of X, as one of the register itself
        for (const Field& field : map.fields.subspan(reg.fields.begin, reg.fields.count)) {
            reg.when = field.when != none ? field.when : reg.when;
        }
        REQUIRE(reg.when != none);
    }
    map.registers = registers;
    TestDevice device;
    device.values = {{"A", 0x12}, {"B", 0x12}};
    const auto needs = layout_needs(map, device.inputs(map));
    REQUIRE(needs);
    REQUIRE(needs->size() == 2);
    const auto first = place_map(map, device.inputs(map));
    const auto plans = plan_instances(map, *first, *needs);
    REQUIRE(plans.size() == 1);
    CHECK(plans[0].plan.words.size() == 1); // one load answers both
    CHECK(names(map, device.must_place(map)) == Names{"B"});
}

TEST_CASE("instances are found again by what they are") {
    const RegisterMap map =
        load(R"("spaces": [{"name": "a", "bar": 0, "size": 4096}, {"name": "b", "bar": 2, "size": 4096}],
        "registers": [
        {"name": "R", "space": "a", "offset": 64, "readAction": "none", "array": {"count": 100, "stride": 8, "index": "i"}},
        {"name": "S", "space": "b", "offset": 64, "readAction": "none", "array": {"count": 100, "stride": 8, "index": "i"}}])");
    const Layout layout = TestDevice{}.must_place(map);
    REQUIRE(layout.instances.size() == 200);
    for (Index i = 0; i < layout.instances.size(); ++i) {
        REQUIRE(find_instance(map, layout, layout.instances[i]) == i);
    }
    Instance other = layout.instances[5];
    other.offset += 4;
    CHECK(find_instance(map, layout, other) == none);
}

TEST_CASE("the reasons of missing registers outlive the layout that they were copied from") {
    const RegisterMap map = load(R"("spaces": [{"name": "exp", "config": true, "capability": "0x10"}],
        "registers": [{"name": "A", "offset": 0, "width": 16, "readAction": "none"},
                      {"name": "B", "offset": 2, "width": 16, "readAction": "none"}])");
    Layout copy;
    {
        const Layout layout = TestDevice{}.must_place(map);
        copy = layout;
    }
    CHECK(copy.missing.size() == 2);
    CHECK(copy.missing[1].why == "capability 0x10 is not present");
    CHECK(copy.reasons->size() == 1);
}
