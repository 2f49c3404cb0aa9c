#include <catch2/catch.hpp>

#include "resource_rows.h"
#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;
using barscope::ErrorCode;

namespace {

barscope::Error error_of(const Tree& tree, const std::string& address = "0000:01:00.0") {
    const auto facts = read_device_facts(tree.root(), parse_pci_address(address).value());
    REQUIRE_FALSE(facts.has_value());
    return facts.error();
}

} // namespace

TEST_CASE("a device's facts come from sysfs") {
    const Tree tree;
    add_device(tree, rows({row(0xfe000000, 0xfe00ffff, 0x140204), row(0, 0, 0)}));
    bind_driver(tree, "bnxt_en");
    const DeviceFacts facts = facts_of(tree);
    CHECK(facts.vendor == 0x14e4);
    CHECK(facts.device == 0x1750);
    CHECK(facts.subsystem_vendor == 0x14e4);
    CHECK(facts.subsystem_device == 0x5045);
    CHECK(facts.class_code == 0x020000);
    CHECK(facts.revision == 0x11);
    CHECK(facts.driver == "bnxt_en");
    CHECK(facts.power_state == "D0");
    CHECK(facts.runtime_status == "active");
    CHECK_FALSE(facts.physical_function.has_value());
    CHECK(facts.directory == tree.device());
}

TEST_CASE("what older kernels do not tell stays empty, and nothing is made up") {
    const Tree tree;
    add_device(tree, rows({}));
    std::filesystem::remove(tree.device("power_state"));
    std::filesystem::remove_all(tree.device("power"));
    const DeviceFacts facts = facts_of(tree);
    CHECK(facts.driver.empty());
    CHECK(facts.power_state.empty());
    CHECK(facts.runtime_status.empty());
}

TEST_CASE("a revision that sysfs lacks is taken from configuration space, or is an error") {
    const Tree tree;
    add_device(tree, rows({}));
    std::filesystem::remove(tree.device("revision"));
    std::string config = endpoint_config();
    config[8] = 0x42;
    Tree::write_file(tree.device("config"), config);
    CHECK(facts_of(tree).revision == 0x42);
    std::filesystem::remove(tree.device("config"));
    CHECK(error_of(tree).cause == "attribute-missing");
}

TEST_CASE("resource rows are classified by their flags") {
    // Flag words as seen in the field: 0x40101 I/O, 0x40200 32-bit, 0x140204 64-bit, 0x14220c 64-bit
    // prefetchable.
    const auto bars =
        parse_resource_rows(rows({row(0xe000, 0xe01f, 0x40101), row(0xf0000000, 0xf000ffff, 0x40200),
                                  row(0x380000000000, 0x380fffffffff, 0x14220c), row(0, 0, 0),
                                  row(0xf1000000, 0xf100007f, 0x140204), row(0, 0, 0)}),
                            "resource")
            .value();
    CHECK(bars[0].kind == BarKind::io);
    CHECK(bars[0].size == 0x20);
    CHECK(bars[1].kind == BarKind::memory32);
    CHECK(bars[1].size == 0x10000);
    CHECK_FALSE(bars[1].prefetchable);
    CHECK(bars[2].kind == BarKind::memory64);
    CHECK(bars[2].start == 0x380000000000);
    CHECK(bars[2].size == 0x1000000000); // 64 GiB
    CHECK(bars[2].prefetchable);
    CHECK(bars[3].kind == BarKind::upper_half);
    CHECK(bars[4].kind == BarKind::memory64);
    CHECK(bars[4].size == 128);
    CHECK(bars[5].kind == BarKind::upper_half);
}

TEST_CASE("a zero row is absent unless it follows a 64-bit BAR, and low bits tell the type where the "
          "kernel's do not") {
    const auto bars = parse_resource_rows(rows({row(0, 0, 0), row(0x1000, 0x1fff, 0x204), row(0, 0, 0),
                                                row(0, 0, 0), row(0x2000, 0x2fff, 0x208)}),
                                          "resource")
                          .value();
    CHECK(bars[0].kind == BarKind::absent);
    CHECK(bars[1].kind == BarKind::memory64);
    CHECK(bars[2].kind == BarKind::upper_half);
    CHECK(bars[3].kind == BarKind::absent);
    CHECK(bars[4].kind == BarKind::memory32);
    CHECK(bars[4].prefetchable);
    CHECK(bars[5].kind == BarKind::absent);
}

TEST_CASE("malformed resource rows name the file and the line") {
    const auto where = [](const std::string& text) {
        const auto bars = parse_resource_rows(text, "/x/resource");
        REQUIRE_FALSE(bars.has_value());
        CHECK(bars.error().code == ErrorCode::bad_input);
        CHECK(bars.error().cause == "resource-malformed");
        return bars.error().where;
    };
    const std::string good = row(0x1000, 0x1fff, 0x40200);
    CHECK(where("") == "/x/resource:1");
    CHECK(where(good + good + good) == "/x/resource:4");
    CHECK(where(good + "garbage\n") == "/x/resource:2");
    CHECK(where(good + "0x1000 0x1fff\n") == "/x/resource:2");
    CHECK(where(good + "0x1000 0x1fff 0x40200 0x1\n") == "/x/resource:2");
    CHECK(where(good + "1000 1fff 40200\n") == "/x/resource:2");
    CHECK(where(good + "0x10000000000000000 0x1 0x200\n") == "/x/resource:2");
    CHECK(where(good + row(0x2000, 0x1fff, 0x40200)) == "/x/resource:2");
    CHECK(where(good + row(0, UINT64_MAX, 0x40200)) == "/x/resource:2");
    CHECK(where(good + "\n" + good + good + good + good) == "/x/resource:2");
    CHECK(where(rows({good}) + std::string(1000, 'x')) == "/x/resource:14");
    CHECK(where(std::string("0x1\0 0x2 0x3\n", 13)) == "/x/resource:1");
}

TEST_CASE("malformed attributes name the file and the line") {
    const Tree tree;
    add_device(tree, rows({}));
    for (const char* text :
         {"", "\n", "14e4\n", "0xzz\n", "0x10000\n", "0x14e4 0x1\n", "0x14e4\n0x1\n", "-0x1\n"}) {
        INFO(text);
        Tree::write_file(tree.device("vendor"), text);
        const barscope::Error error = error_of(tree);
        CHECK(error.code == ErrorCode::bad_input);
        CHECK(error.where == tree.device("vendor") + ":1");
    }
}

TEST_CASE("attributes that are missing, folders or endless are errors, not crashes") {
    const Tree tree;
    add_device(tree, rows({}));
    SECTION("missing") {
        std::filesystem::remove(tree.device("class"));
        CHECK(error_of(tree).cause == "attribute-missing");
        CHECK(error_of(tree).where == tree.device("class"));
    }
    SECTION("a folder") {
        std::filesystem::remove(tree.device("device"));
        std::filesystem::create_directories(tree.device("device"));
        CHECK(error_of(tree).cause == "attribute-unreadable");
    }
    SECTION("a pipe, which would block") {
        std::filesystem::remove(tree.device("resource"));
        REQUIRE(::mkfifo(tree.device("resource").c_str(), 0600) == 0);
        CHECK(error_of(tree).cause == "attribute-unreadable");
    }
    SECTION("larger than any attribute") {
        Tree::write_file(tree.device("vendor"), std::string(100000, '0'));
        CHECK_THAT(error_of(tree).what, Catch::Contains("EFBIG"));
    }
    SECTION("links that are none") {
        Tree::write_file(tree.device("driver"), "bnxt_en");
        CHECK_THAT(error_of(tree).what, Catch::Contains("not a symbolic link"));
    }
    SECTION("a physfn that leads nowhere") {
        std::filesystem::create_symlink("../nonsense", tree.device("physfn"));
        CHECK_THAT(error_of(tree).what, Catch::Contains("'nonsense' is not a PCI address"));
    }
}

TEST_CASE("field case 38: a device that is gone is said to be absent, with what is present") {
    const Tree tree;
    add_device(tree, rows({}), {"0000:02:00.0", "0x8086", "0x10d3"});
    const barscope::Error error = error_of(tree);
    CHECK(error.code == ErrorCode::absent);
    CHECK(error.cause == "device-absent");
    CHECK_THAT(error.what, Catch::Contains("0000:01:00.0 is not present now"));
    CHECK_THAT(error.remedy, Catch::Contains("0000:02:00.0"));
    const Tree empty;
    CHECK(error_of(empty).cause == "device-absent");
}

TEST_CASE("field cases 12 and 13: large domains are opened as named and never aliased") {
    const Tree tree;
    add_device(tree, rows({}), {"20000:70:00.0", "0x8086", "0x0001"});
    add_device(tree, rows({}), {"0000:70:00.0", "0x8086", "0x0002"});
    add_device(tree, rows({}), {"10001:80:05.0", "0x8086", "0x0003"});
    CHECK(facts_of(tree, "20000:70:00.0").device == 1);
    CHECK(facts_of(tree, "0000:70:00.0").device == 2);
    CHECK(facts_of(tree, "70:00.0").device == 2);
    CHECK(facts_of(tree, "10001:80:05.0").device == 3);
    std::filesystem::remove_all(tree.device("", "0000:70:00.0"));
    CHECK(error_of(tree, "70:00.0").cause == "device-absent");
}
