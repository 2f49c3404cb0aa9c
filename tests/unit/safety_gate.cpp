#include <catch2/catch.hpp>

#include <safety/config_space.h>

#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;
using barscope::Error;
using barscope::ErrorCode;

namespace {

const std::string one_bar = rows({row(0xfe000000, 0xfe000fff, 0x40200)});

std::vector<Verdict> verdicts(const Tree& tree, const std::string& address = "0000:01:00.0",
                              bool allow_vfio = false) {
    return check_device(tree.root(), facts_of(tree, address), {allow_vfio});
}

Verdict verdict(const std::vector<Verdict>& all, const std::string& check) {
    for (const Verdict& one : all) {
        if (one.check == check) {
            return one;
        }
    }
    FAIL("no verdict " << check);
    return {};
}

Error refusal(const Tree& tree, const std::string& check) {
    const Verdict one = verdict(verdicts(tree), check);
    REQUIRE_FALSE(one.passed);
    REQUIRE(one.refusal.has_value());
    return *one.refusal;
}

void set_config(const Tree& tree, std::size_t offset, std::uint64_t value, std::size_t bytes) {
    std::string config = endpoint_config();
    put(config, offset, value, bytes);
    Tree::write_file(tree.device("config"), config);
}

// A VF as a kernel shows it: its own ids read ffff and its command register 0; SR-IOV capability in its PF.
void add_virtual_function(const Tree& tree, std::uint16_t sriov_control = 0x0009) {
    add_device(tree, one_bar, {"0000:01:00.0", "0x14e4", "0x1750"});
    std::string parent = endpoint_config(0x14e4, 0x1750, 4096);
    put(parent, 0x100, 0x14010001, 4); // AER, next at 140h
    put(parent, 0x140, 0x00010010, 4); // SR-IOV, last
    put(parent, 0x148, sriov_control, 2);
    Tree::write_file(tree.device("config"), parent);
    add_device(tree, one_bar, {"0000:01:02.0", "0x14e4", "0x1806"});
    std::string own = endpoint_config(0xffff, 0xffff, 4096);
    put(own, 0x04, 0x0000, 2);
    Tree::write_file(tree.device("config", "0000:01:02.0"), own);
    std::filesystem::create_symlink("../0000:01:00.0", tree.device("physfn", "0000:01:02.0"));
}

} // namespace

TEST_CASE("a device that is well passes every check") {
    const Tree tree;
    add_device(tree, one_bar);
    bind_driver(tree, "bnxt_en");
    const auto all = verdicts(tree);
    std::vector<std::string> names;
    for (const Verdict& one : all) {
        names.push_back(one.check);
        INFO(one.check << " " << one.detail);
        CHECK(one.passed);
        CHECK_FALSE(one.detail.empty());
    }
    CHECK(names == std::vector<std::string>{"device-present", "config-answers", "power-state",
                                            "memory-decode", "driver"});
    CHECK_FALSE(first_refusal(all).has_value());
}

TEST_CASE("a device that vanished after it was found") {
    const Tree tree;
    add_device(tree, one_bar);
    const DeviceFacts facts = facts_of(tree);
    std::filesystem::remove_all(tree.device());
    const auto all = check_device(tree.root(), facts, {});
    REQUIRE(all.size() == 1);
    CHECK(first_refusal(all)->cause == "device-absent");
    CHECK(first_refusal(all)->code == ErrorCode::absent);
}

TEST_CASE("field case 29: configuration space of ones while sysfs still has the ids") {
    const Tree tree;
    add_device(tree, one_bar);
    Tree::write_file(tree.device("config"), std::string(256, '\xff'));
    SECTION("in D0: gone") {
        const Error error = refusal(tree, "config-answers");
        CHECK(error.cause == "asleep-or-gone");
        CHECK(error.code == ErrorCode::absent);
        CHECK_THAT(error.what, Catch::Contains("asleep or gone") && Catch::Contains("power_state D0") &&
                                   Catch::Contains("14e4:1750"));
    }
    SECTION("in D3cold: asleep, and never woken") {
        Tree::write_file(tree.device("power_state"), "D3cold\n");
        const Error error = refusal(tree, "config-answers");
        CHECK(error.cause == "asleep-or-gone");
        CHECK(error.code == ErrorCode::refused);
        CHECK_THAT(error.what, Catch::Contains("power_state D3cold"));
        CHECK_THAT(error.remedy, Catch::Contains("never wakes"));
    }
    SECTION("in D3cold configuration space is left alone, even where it would answer") {
        Tree::write_file(tree.device("power_state"), "D3cold\n");
        CHECK(ConfigSpace::open(tree.root(), *parse_pci_address("0000:01:00.0")).error().cause ==
              "asleep-or-gone");
    }
    SECTION("nothing is concluded from a command register of ones") {
        for (const Verdict& one : verdicts(tree)) {
            CHECK(one.check != "memory-decode");
        }
    }
}

TEST_CASE("a device that was exchanged is not read with the old one's map") {
    const Tree tree;
    add_device(tree, one_bar);
    set_config(tree, 2, 0x1751, 2);
    const Error error = refusal(tree, "config-answers");
    CHECK(error.cause == "identity-mismatch");
    CHECK_THAT(error.what, Catch::Contains("14e4:1751") && Catch::Contains("14e4:1750"));
}

TEST_CASE("configuration space that cannot be read refuses the device") {
    const Tree tree;
    add_device(tree, one_bar);
    SECTION("missing") {
        std::filesystem::remove(tree.device("config"));
        CHECK(refusal(tree, "config-answers").cause == "config-missing");
    }
    SECTION("empty") {
        Tree::write_file(tree.device("config"), "");
        CHECK(refusal(tree, "config-answers").cause == "config-unreadable");
    }
    SECTION("ends before the command register") {
        Tree::write_file(tree.device("config"), endpoint_config().substr(0, 5));
        CHECK(refusal(tree, "memory-decode").cause == "config-unreadable");
    }
    SECTION("a folder") {
        std::filesystem::remove(tree.device("config"));
        std::filesystem::create_directories(tree.device("config"));
        CHECK(refusal(tree, "config-answers").cause == "config-malformed");
    }
}

TEST_CASE("power state: only D0 and active are read, and nothing is woken") {
    const Tree tree;
    add_device(tree, one_bar);
    const auto cause = [&] {
        const Verdict one = verdict(verdicts(tree), "power-state");
        return one.passed ? "passed" : one.refusal->cause;
    };
    SECTION("what sysfs says") {
        const auto state = GENERATE(as<std::string>{}, "D1", "D2", "D3hot", "D3cold", "error");
        Tree::write_file(tree.device("power_state"), state + "\n");
        CHECK(cause() == "not-in-d0");
        CHECK_THAT(refusal(tree, "power-state").what, Catch::Contains(state));
        CHECK_THAT(refusal(tree, "power-state").remedy, Catch::Contains("never wakes"));
    }
    SECTION("what runtime power management says") {
        const auto state = GENERATE(as<std::string>{}, "suspended", "suspending", "resuming", "error");
        Tree::write_file(tree.device("power/runtime_status"), state + "\n");
        CHECK(cause() == "not-in-d0");
    }
    SECTION("states that are fine") {
        const auto state = GENERATE(as<std::string>{}, "active", "unsupported", "");
        Tree::write_file(tree.device("power/runtime_status"), state + "\n");
        CHECK(cause() == "passed");
    }
    SECTION("the device's own PMCSR says otherwise") {
        set_config(tree, 0x44, 0x0003, 2);
        CHECK(cause() == "not-in-d0");
        CHECK_THAT(refusal(tree, "power-state").what, Catch::Contains("PMCSR D3hot"));
    }
    SECTION("the kernel shows unknown after a driver let go: the device decides") {
        Tree::write_file(tree.device("power_state"), "unknown\n");
        CHECK(cause() == "passed");
        set_config(tree, 0x44, 0x0003, 2);
        CHECK(cause() == "not-in-d0");
        Tree::write_file(tree.device("config"), endpoint_config().substr(0, 64));
        CHECK(cause() == "not-in-d0"); // and where it cannot be asked, it is not assumed
    }
    SECTION("no power management capability at all") {
        set_config(tree, 0x06, 0x0000, 2);
        Tree::write_file(tree.device("power_state"), "unknown\n");
        CHECK(cause() == "passed");
    }
}

TEST_CASE("field case 27: memory decoding that is off is refused and never turned on") {
    const Tree tree;
    add_device(tree, one_bar);
    set_config(tree, 0x04, 0x0004, 2);
    const Error error = refusal(tree, "memory-decode");
    CHECK(error.cause == "memory-decode-off");
    CHECK(error.code == ErrorCode::refused);
    CHECK_THAT(error.what, Catch::Contains("memory space disabled") && Catch::Contains("0x0004"));
    CHECK_THAT(error.remedy, Catch::Contains("driver") && Catch::Contains("never"));
    CHECK_THAT(error.remedy, !Catch::Contains("setpci"));
    set_config(tree, 0x04, 0x0006, 2);
    CHECK(verdict(verdicts(tree), "memory-decode").passed);
}

TEST_CASE("field case 28: a VF's own vendor word and memory enable say nothing") {
    const Tree tree;
    add_virtual_function(tree);
    const auto all = verdicts(tree, "0000:01:02.0");
    for (const Verdict& one : all) {
        INFO(one.check << ": " << one.detail);
        CHECK(one.passed);
    }
    CHECK_THAT(verdict(all, "config-answers").detail, Catch::Contains("0000:01:00.0"));
    CHECK_THAT(verdict(all, "memory-decode").detail, Catch::Contains("VF Memory Space Enable"));
}

TEST_CASE("a VF whose physical function has its memory space off, sleeps or is gone") {
    const Tree tree;
    SECTION("VF MSE off") {
        add_virtual_function(tree, 0x0001);
        CHECK(verdict(verdicts(tree, "0000:01:02.0"), "memory-decode").refusal->cause == "memory-decode-off");
    }
    SECTION("asleep") {
        add_virtual_function(tree);
        Tree::write_file(tree.device("power_state"), "D3hot\n");
        CHECK(verdict(verdicts(tree, "0000:01:02.0"), "power-state").refusal->cause == "not-in-d0");
    }
    SECTION("gone") {
        add_virtual_function(tree);
        Tree::write_file(tree.device("config"), std::string(4096, '\xff'));
        CHECK(verdict(verdicts(tree, "0000:01:02.0"), "config-answers").refusal->cause == "asleep-or-gone");
    }
    SECTION("its folder is missing") {
        add_virtual_function(tree);
        std::filesystem::remove_all(tree.device());
        CHECK(verdict(verdicts(tree, "0000:01:02.0"), "config-answers").refusal->cause == "device-absent");
    }
    SECTION("its SR-IOV capability cannot be read: said, not assumed") {
        add_virtual_function(tree);
        Tree::write_file(tree.device("config"), endpoint_config());
        const Verdict one = verdict(verdicts(tree, "0000:01:02.0"), "memory-decode");
        CHECK(one.passed);
        CHECK_THAT(one.detail, Catch::StartsWith("not checked"));
    }
}

TEST_CASE("field case 22: a device that a virtual machine owns") {
    const Tree tree;
    add_device(tree, one_bar);
    const auto driver = GENERATE(as<std::string>{}, "vfio-pci", "mlx5_vfio_pci", "nvgrace-gpu-vfio-pci",
                                 "pciback", "xen-pciback");
    bind_driver(tree, driver);
    const Error error = refusal(tree, "driver");
    CHECK(error.cause == "owned-by-vm");
    CHECK_THAT(error.what, Catch::Contains(driver));
    CHECK_THAT(error.remedy, Catch::Contains("--allow-vfio"));
    CHECK(verdict(verdicts(tree, "0000:01:00.0", true), "driver").passed);
}

TEST_CASE("BARs that cannot be read say why and which can") {
    const Tree tree;
    add_device(tree, rows({row(0xe000, 0xe01f, 0x40101), row(0, 0, 0), row(0xf0000000, 0xf0003fff, 0x140204),
                           row(0, 0, 0), row(0, 0xfff, 0x40200 | 0x20000000),
                           row(0xf1000000, 0xf1000fff, 0x40200)}));
    Tree::write_file(tree.device("resource0"), "");
    Tree::write_file(tree.device("resource2"), std::string(0x4000, 'x'));
    Tree::write_file(tree.device("resource4"), "");
    const DeviceFacts facts = facts_of(tree);
    const auto error = [&](unsigned bar) {
        const Verdict one = check_bar(tree.root(), facts, bar);
        CHECK(one.check == "bar" + std::to_string(bar));
        REQUIRE_FALSE(one.passed);
        return *one.refusal;
    };
    SECTION("field case 35: an I/O BAR") {
        CHECK(error(0).cause == "bar-io");
        CHECK_THAT(error(0).what, Catch::Contains("I/O port BAR"));
        CHECK_THAT(error(0).remedy, Catch::Contains("2, 5"));
        CHECK(check_bar(tree.root(), facts, 2).passed); // the others are read all the same
    }
    SECTION("field case 37: a BAR that the device does not have") {
        CHECK(error(1).what == "BAR 1 not implemented");
    }
    SECTION("the upper half of a 64-bit BAR") {
        CHECK(error(3).cause == "bar-upper-half");
        CHECK(error(3).what == "BAR 3 belongs to BAR 2 (64-bit)");
    }
    SECTION("a BAR without an address: the kernel would map address 0") {
        CHECK(error(4).cause == "bar-unassigned");
    }
    SECTION("a file that is missing") {
        CHECK(error(5).cause == "bar-file-missing");
        CHECK(error(5).code == ErrorCode::absent);
    }
    SECTION("a pipe in the file's place") {
        REQUIRE(::mkfifo(tree.device("resource5").c_str(), 0600) == 0);
        CHECK(error(5).cause == "bar-file-malformed");
    }
    SECTION("a number that no function has") {
        CHECK(error(6).code == ErrorCode::usage);
    }
    SECTION("open_bar refuses the same") {
        for (const unsigned bar : {0U, 1U, 3U, 4U, 5U, 6U}) {
            const auto opened = open_bar(ReadOnly{}, tree.root(), facts, bar, {});
            REQUIRE_FALSE(opened.has_value());
            CHECK(opened.error().cause == error(bar).cause);
        }
    }
}

TEST_CASE("who drives a function") {
    // Names as in the kernel's drivers/vfio, drivers/xen/xen-pciback, drivers/uio, drivers/pci/pci-stub.c and
    // pci-pf-stub.c, and DPDK's kernel/linux/igb_uio.
    const auto owned = [](std::string_view driver) { return name(owner_of(driver)); };
    CHECK(owned("") == "nobody");
    CHECK(owned("pci-stub") == "nobody");
    CHECK(owned("pci-pf-stub") == "nobody");
    CHECK(owned("xen-pciback") == "virtual-machine");
    CHECK(owned("vfio-pci") == "virtual-machine");
    CHECK(owned("uio_pci_generic") == "user-program");
    CHECK(owned("igb_uio") == "user-program");
    CHECK(owned("igb") == "kernel-driver");
    CHECK(owned("pcieport") == "kernel-driver");
}
