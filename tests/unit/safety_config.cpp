#include <catch2/catch.hpp>

#include <safety/config_space.h>

#include <sys/stat.h>

#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;
using barscope::ErrorCode;

namespace {

const std::string no_bars = rows({});

std::shared_ptr<ConfigSpace> open_config(const Tree& tree, const std::string& config,
                                         const std::string& address = "0000:01:00.0") {
    add_device(tree, no_bars, {address, "0x14e4", "0x1750"});
    Tree::write_file(tree.device("config", address), config);
    return ConfigSpace::open(tree.root(), parse_pci_address(address).value()).value();
}

// How the process has a file open: the access mode, or -1 where it has not.
int open_mode(const std::string& file) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code ignored;
        if (std::filesystem::read_symlink(entry.path(), ignored) == file) {
            return ::fcntl(std::stoi(entry.path().filename()), F_GETFL) & O_ACCMODE;
        }
    }
    return -1;
}

WordRequest split_word(std::uint64_t offset, ByteOrder order = ByteOrder::little) {
    return {offset, 64, ReadAction::none, Split::hi_lo_hi, order};
}

} // namespace

TEST_CASE("configuration space is read in the declared width, little-endian") {
    const Tree tree;
    std::string bytes = endpoint_config();
    put(bytes, 0x50, 0x87654321, 4);
    const auto config = open_config(tree, bytes);
    CHECK(config->size() == 256);
    CHECK(config->read(0x00, 16) == 0x14e4U);
    CHECK(config->read(0x02, 16) == 0x1750U);
    CHECK(config->read(0x50, 32) == 0x87654321U);
    CHECK(config->read(0x50, 8) == 0x21U);
    CHECK(config->read(0x52, 16) == 0x8765U);
    CHECK(config->path() == tree.device("config"));
    CHECK(config->answers());
}

TEST_CASE("configuration space beyond its end, misaligned or in odd widths is nothing") {
    const Tree tree;
    const auto config = open_config(tree, endpoint_config());
    CHECK_FALSE(config->read(0x100, 32).has_value());
    CHECK_FALSE(config->read(0xfe, 32).has_value());
    CHECK_FALSE(config->read(0x01, 16).has_value());
    CHECK_FALSE(config->read(0xfffffffc, 32).has_value());
    CHECK_FALSE(config->read(0, 64).has_value());
    CHECK_FALSE(config->read(0, 0).has_value());
    CHECK_FALSE(config->read(0, 24).has_value());
}

TEST_CASE("configuration space is as long as its file, up to 4096 bytes") {
    const Tree tree;
    CHECK(open_config(tree, endpoint_config().substr(0, 64))->size() == 64);
    CHECK(open_config(tree, endpoint_config(0x14e4, 0x1750, 4096))->size() == 4096);
    CHECK(open_config(tree, endpoint_config(0x14e4, 0x1750, 5000))->size() == 4096);
    CHECK(open_config(tree, endpoint_config().substr(0, 3))->size() == 3);
    CHECK(open_config(tree, "")->size() == 0);
    CHECK_FALSE(open_config(tree, "")->answers());
}

TEST_CASE("nothing is cached: each read asks the file again") {
    const Tree tree;
    std::string bytes = endpoint_config();
    const auto config = open_config(tree, bytes);
    CHECK(config->read(0x50, 32) == 0U);
    put(bytes, 0x50, 0xcafe, 4);
    Tree::write_file(tree.device("config"), bytes);
    CHECK(config->read(0x50, 32) == 0xcafeU);
    put(bytes, 0, 0xffff, 2);
    Tree::write_file(tree.device("config"), bytes);
    CHECK_FALSE(config->answers());
}

TEST_CASE("field case 21: configuration space is opened for reading only") {
    const Tree tree;
    const auto config = open_config(tree, endpoint_config());
    REQUIRE(::chmod(tree.device("config").c_str(), 0444) == 0);
    REQUIRE(config->read(0, 16).has_value());
    CHECK(open_mode(tree.device("config")) == O_RDONLY);
}

TEST_CASE("libpci takes the domain as it is") {
    const Tree tree;
    add_device(tree, no_bars, {"0001:80:05.0", "0x8086", "0x0002"});
    CHECK(open_config(tree, endpoint_config(0x8086, 0x0001), "10001:80:05.0")->read(2, 16) == 1U);
    CHECK(open_config(tree, endpoint_config(0x8086, 0x0003), "ffff0001:80:05.0")->read(2, 16) == 3U);
}

TEST_CASE("libpci's fatal errors come back as errors, and the library stays usable") {
    const Tree tree;
    // libpci builds file names in 1024 bytes and calls its error function beyond that.
    std::string deep = tree.path("");
    while (deep.size() < 1100) {
        deep += "/" + std::string(200, 'd');
    }
    std::string device = deep + "/sys/bus/pci/devices/0000:01:00.0";
    std::filesystem::create_directories(device);
    Tree::write_file(device + "/config", endpoint_config());
    for (int i = 0; i < 3; ++i) {
        const auto opened = ConfigSpace::open(SystemRoot(deep), parse_pci_address("01:00.0").value());
        REQUIRE_FALSE(opened.has_value());
        CHECK_THAT(opened.error().what, Catch::Contains("File name too long"));
    }
    CHECK(open_config(tree, endpoint_config())->read(0, 16) == 0x14e4U);
}

TEST_CASE("configuration space that is not there") {
    const Tree tree;
    const auto cause = [&] {
        const auto opened = ConfigSpace::open(tree.root(), parse_pci_address("01:00.0").value());
        return opened ? "opened" : opened.error().cause;
    };
    CHECK(cause() == "device-absent");
    std::filesystem::create_directories(tree.device());
    CHECK(cause() == "config-missing");
    REQUIRE(::mkfifo(tree.device("config").c_str(), 0600) == 0);
    CHECK(cause() == "config-malformed");
}

TEST_CASE("configuration space that this user may not read is a matter of permission") {
    const Tree tree;
    add_device(tree, no_bars, {"0000:01:00.0", "0x14e4", "0x1750"});
    Tree::write_file(tree.device("config"), endpoint_config());
    REQUIRE(::chmod(tree.path("").c_str(), 0755) == 0);
    const std::string closed = GENERATE(true, false) ? tree.device("config") : tree.device();
    REQUIRE(::chmod(closed.c_str(), 0) == 0);
    const uid_t user = ::geteuid();
    REQUIRE((user != 0 || ::seteuid(65534) == 0)); // root may read everything
    const auto opened = ConfigSpace::open(tree.root(), parse_pci_address("01:00.0").value());
    REQUIRE(::seteuid(user) == 0);
    REQUIRE(::chmod(closed.c_str(), 0700) == 0);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == ErrorCode::permission);
    CHECK(opened.error().cause == "config-permission");
    CHECK_THAT(opened.error().what, Catch::Contains("EACCES"));
    CHECK_FALSE(opened.error().remedy.empty());
}

TEST_CASE("capabilities are found in list order") {
    const Tree tree;
    std::string bytes = endpoint_config(0x14e4, 0x1750, 4096);
    put(bytes, 0x40, 0x6001, 2); // PM at 40h, next 60h
    put(bytes, 0x60, 0xa309, 2); // vendor specific at 60h, next a3h: the low two bits do not count
    put(bytes, 0xa0, 0x5009, 2); // vendor specific at a0h, next 50h
    put(bytes, 0x50, 0x0010, 2); // PCI Express at 50h, last
    put(bytes, 0x100, 0x15010001, 4);
    put(bytes, 0x150, 0x20010010, 4);
    put(bytes, 0x200, 0x00010001, 4);
    const auto config = open_config(tree, bytes);
    CHECK(config->capabilities(0x01) == std::vector<std::uint32_t>{0x40});
    CHECK(config->capabilities(0x09) == std::vector<std::uint32_t>{0x60, 0xa0});
    CHECK(config->capabilities(0x10) == std::vector<std::uint32_t>{0x50});
    CHECK(config->capabilities(0x11).empty());
    CHECK(config->extended_capabilities(0x0001) == std::vector<std::uint32_t>{0x100, 0x200});
    CHECK(config->extended_capabilities(0x0010) == std::vector<std::uint32_t>{0x150});
}

TEST_CASE("capability lists that loop or lead astray end") {
    const Tree tree;
    std::string bytes = endpoint_config(0x14e4, 0x1750, 4096);
    SECTION("a loop") {
        put(bytes, 0x40, 0x6009, 2);
        put(bytes, 0x60, 0x4009, 2);
        CHECK(open_config(tree, bytes)->capabilities(0x09) == std::vector<std::uint32_t>{0x40, 0x60});
    }
    SECTION("onto itself") {
        put(bytes, 0x40, 0x4009, 2);
        CHECK(open_config(tree, bytes)->capabilities(0x09) == std::vector<std::uint32_t>{0x40});
    }
    SECTION("into the header") {
        put(bytes, 0x40, 0x1009, 2);
        put(bytes, 0x10, 0x0009, 2);
        CHECK(open_config(tree, bytes)->capabilities(0x09) == std::vector<std::uint32_t>{0x40});
    }
    SECTION("id ff ends the list") {
        put(bytes, 0x40, 0x60ff, 2);
        put(bytes, 0x60, 0x0009, 2);
        CHECK(open_config(tree, bytes)->capabilities(0x09).empty());
    }
    SECTION("no list") {
        put(bytes, 0x06, 0x0000, 2);
        CHECK(open_config(tree, bytes)->capabilities(0x01).empty());
    }
    SECTION("a device of ones") {
        const auto config = open_config(tree, std::string(4096, '\xff'));
        CHECK(config->capabilities(0xff).empty());
        CHECK(config->extended_capabilities(0xffff).empty());
    }
    SECTION("an extended loop") {
        put(bytes, 0x100, 0x15010001, 4);
        put(bytes, 0x150, 0x10010001, 4);
        CHECK(open_config(tree, bytes)->extended_capabilities(1) == std::vector<std::uint32_t>{0x100, 0x150});
    }
    SECTION("an extended pointer into the first 256 bytes") {
        put(bytes, 0x100, 0x04010001, 4);
        CHECK(open_config(tree, bytes)->extended_capabilities(1) == std::vector<std::uint32_t>{0x100});
    }
    SECTION("an extended list that is not there") {
        put(bytes, 0x100, 0, 4);
        CHECK(open_config(tree, bytes)->extended_capabilities(0).empty());
        CHECK(open_config(tree, endpoint_config())->extended_capabilities(0).empty());
    }
    SECTION("a list cut short by the file's end") {
        put(bytes, 0x40, 0xfc09, 2);
        CHECK(open_config(tree, bytes.substr(0, 0xfc))->capabilities(0x09) ==
              std::vector<std::uint32_t>{0x40});
    }
}

TEST_CASE("a VF answers where its physical function does") {
    const Tree tree;
    const auto parent = open_config(tree, endpoint_config());
    add_device(tree, no_bars, {"0000:01:02.0", "0x14e4", "0x1806"});
    std::filesystem::create_symlink("../0000:01:00.0", tree.device("physfn", "0000:01:02.0"));
    const auto own = open_config(tree, endpoint_config(0xffff, 0xffff), "0000:01:02.0");
    CHECK(own->read(0, 16) == 0xffffU);
    CHECK(own->answers());
    Tree::write_file(tree.device("config"), std::string(256, '\xff'));
    CHECK_FALSE(own->answers());
}

TEST_CASE("physfn links that go round in circles end") {
    const Tree tree;
    add_device(tree, no_bars, {"0000:01:02.0", "0x14e4", "0x1806"});
    add_device(tree, no_bars);
    std::filesystem::create_symlink("../0000:01:00.0", tree.device("physfn", "0000:01:02.0"));
    std::filesystem::create_symlink("../0000:01:02.0", tree.device("physfn"));
    CHECK(ConfigSpace::open(tree.root(), parse_pci_address("01:02.0").value()).has_value());
}

TEST_CASE("configuration space as a source of words") {
    const Tree tree;
    std::string bytes = endpoint_config();
    put(bytes, 0x50, 0x0807060504030201, 8);
    const auto source = make_config_source(open_config(tree, bytes));
    SpacePlan plan =
        plan_of({word(0, 16), word(0x2, 16), word(0x50, 8), word(0x50, 32), word(0x50, 32, ByteOrder::big),
                 split_word(0x50), split_word(0x50, ByteOrder::big), word(0x50, 64), word(0x52, 32),
                 word(0xfe, 16), word(0x100, 32), word(0xffc, 32), word(0x1000, 32)});
    plan.words.push_back({0x60, 32, ReadAction::clear, Split::none, ByteOrder::little});
    plan.words.push_back({0x64, 32, ReadAction::unclaimed, Split::none, ByteOrder::little});
    const SpaceCapture capture = source->read(plan, {});
    const auto value = [&](std::size_t i) {
        CHECK(capture.words[i].status == WordStatus::ok);
        return capture.words[i].value;
    };
    CHECK(value(0) == 0x14e4);
    CHECK(value(1) == 0x1750);
    CHECK(value(2) == 0x01);
    CHECK(value(3) == 0x04030201);
    CHECK(value(4) == 0x01020304);
    CHECK(value(5) == 0x0807060504030201);
    CHECK(value(6) == 0x0102030405060708);
    CHECK(capture.words[7].status == WordStatus::illegal_width);
    CHECK(capture.words[8].status == WordStatus::misaligned);
    CHECK(value(9) == 0);
    CHECK(capture.words[10].status == WordStatus::short_source);
    CHECK(capture.words[11].status == WordStatus::short_source);
    CHECK(capture.words[12].status == WordStatus::out_of_range);
    CHECK(capture.words[13].status == WordStatus::side_effect);
    CHECK(capture.words[14].status == WordStatus::unclaimed);
    CHECK(capture.loads == 6 + 2 * 3);
    CHECK(capture.words[0].nanoseconds > 0);
    CHECK(source->size() == 256);
    CHECK_THAT(source->describe(), Catch::Contains(tree.device("config")));
}

TEST_CASE("configuration space of a dead device: the first word tells, the rest is not asked") {
    const Tree tree;
    const auto source = make_config_source(open_config(tree, std::string(256, '\xff')));
    const SpaceCapture capture = source->read(plan_of({word(0x00, 16), word(0x02, 16), word(0x04, 16)}), {});
    CHECK(capture.device_gone);
    CHECK(capture.words[0].status == WordStatus::gone);
    CHECK(capture.words[1].status == WordStatus::not_attempted);
    CHECK(capture.words[2].status == WordStatus::not_attempted);
    CHECK(capture.loads == 1);
}

TEST_CASE("ones in configuration space of a live device are a value") {
    const Tree tree;
    std::string bytes = endpoint_config();
    put(bytes, 0x3c, 0xff, 1);
    const SpaceCapture capture =
        make_config_source(open_config(tree, bytes))->read(plan_of({word(0x3c, 8), word(0x3d, 8)}), {});
    CHECK(capture.words[0].status == WordStatus::all_ones_alive);
    CHECK(capture.words[0].value == 0xff);
    CHECK(capture.words[1].status == WordStatus::ok);
}

TEST_CASE("a VF's vendor word of ones is a value too") {
    const Tree tree;
    const auto parent = open_config(tree, endpoint_config());
    add_device(tree, no_bars, {"0000:01:02.0", "0x14e4", "0x1806"});
    std::filesystem::create_symlink("../0000:01:00.0", tree.device("physfn", "0000:01:02.0"));
    const auto source =
        make_config_source(open_config(tree, endpoint_config(0xffff, 0xffff), "0000:01:02.0"));
    SpacePlan plan = plan_of({word(0, 16), word(0x34, 8)});
    plan.sentinels = {word(0, 16)};
    const SpaceCapture capture = source->read(plan, {});
    CHECK(capture.words[0].status == WordStatus::all_ones_alive);
    CHECK(capture.words[1].value == 0x40);
    CHECK_FALSE(capture.device_gone);
}

TEST_CASE("configuration space that shrinks under the reader is lost there, the rest is kept") {
    const Tree tree;
    const auto config = open_config(tree, endpoint_config());
    Tree::write_file(tree.device("config"), endpoint_config().substr(0, 64));
    const SpaceCapture capture =
        make_config_source(config)->read(plan_of({word(0, 16), word(0x50, 32), word(0x02, 16)}), {});
    CHECK(capture.words[0].value == 0x14e4);
    CHECK(capture.words[1].status == WordStatus::lost);
    CHECK(capture.words[2].value == 0x1750);
}
