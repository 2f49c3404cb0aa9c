#include <catch2/catch.hpp>

#include <random>

#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

// A file in which each 32-bit word holds its own offset.
std::string offsets(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i + 4 <= size; i += 4) {
        put(bytes, i, i, 4);
    }
    return bytes;
}

Word read_one(WordSource& source, const WordRequest& request) {
    return source.read(plan_of({request}), {}).words.at(0);
}

std::uint64_t value_of(WordSource& source, const WordRequest& request) {
    const Word got = read_one(source, request);
    INFO("status " << name(got.status));
    CHECK(got.status == WordStatus::ok);
    return got.value;
}

void sparse_file(const std::string& path, std::uint64_t size) {
    Tree::write_file(path, "");
    std::filesystem::resize_file(path, size);
}

void poke(const std::string& path, std::uint64_t offset, std::uint32_t value) {
    const int fd = ::open(path.c_str(), O_WRONLY);
    REQUIRE(::pwrite(fd, &value, 4, static_cast<off_t>(offset)) == 4);
    ::close(fd);
}

} // namespace

TEST_CASE("field cases 1 and 2: offsets beyond 4 GiB, with a page mapped and no more") {
    const Tree tree;
    constexpr std::uint64_t size = 0x200000000; // 8 GiB
    add_device(tree, rows({row(0x380000000000, 0x380000000000 + size - 1, 0x14220c), row(0, 0, 0)}));
    sparse_file(tree.device("resource0"), size);
    poke(tree.device("resource0"), 0x5867000, 0x11111111);
    poke(tree.device("resource0"), 0x105867000, 0x22222222);
    poke(tree.device("resource0"), 0x1fffffffc, 0x33333333);
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    CHECK(value_of(*source, word(0x105867000)) == 0x22222222);
    CHECK(value_of(*source, word(0x5867000)) == 0x11111111);
    CHECK(value_of(*source, word(0x1fffffffc)) == 0x33333333);
    CHECK(read_one(*source, word(0x200000000)).status == WordStatus::out_of_range);
    CHECK(source->size() == size);
    CHECK(system->most_mapped <= 0x100000);
    CHECK(system->mapped == 0);
}

TEST_CASE("a 64 GiB BAR costs a page, and far-apart registers never more than two mappings at a time") {
    const Tree tree;
    constexpr std::uint64_t size = 0x1000000000;
    add_device(tree, rows({row(0x380000000000, 0x380000000000 + size - 1, 0x14220c), row(0, 0, 0)}));
    sparse_file(tree.device("resource0"), size);
    SpacePlan plan;
    for (std::uint64_t offset = 0; offset < size; offset += size / 32) {
        plan.words.push_back(word(offset));
    }
    const auto system = std::make_shared<RecordingSystem>();
    const SpaceCapture capture = open_source(tree, system)->read(plan, {});
    CHECK(capture.loads == 32);
    CHECK(system->most_mapped == system->page_size());
    CHECK(system->maps.size() == 33); // one to find out whether it is allowed
}

TEST_CASE("field case 3: exactly the declared width") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000,
            std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8) + std::string(0xff8, '\0'));
    const auto source = open_source(tree);
    CHECK(value_of(*source, word(0, 8)) == 0x01);
    CHECK(value_of(*source, word(0, 16)) == 0x0201);
    CHECK(value_of(*source, word(0, 32)) == 0x04030201);
    CHECK(value_of(*source, word(0, 64)) == 0x0807060504030201);
    CHECK(value_of(*source, word(7, 8)) == 0x08);
}

TEST_CASE("field case 6: offsets within and across pages") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x4000, offsets(0x4000));
    const auto source = open_source(tree);
    for (const std::uint64_t offset :
         {0x0UL, 0x4UL, 0x10UL, 0x100UL, 0xffcUL, 0x1000UL, 0x1004UL, 0x3ffcUL}) {
        CHECK(value_of(*source, word(offset)) == offset);
    }
}

TEST_CASE("field case 7: the size is the row's") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x10000, offsets(0x10000));
    const auto source = open_source(tree);
    CHECK(source->size() == 0x10000);
    CHECK(value_of(*source, word(0x8004)) == 0x8004);
    CHECK(read_one(*source, word(0x10000)).status == WordStatus::out_of_range);
}

TEST_CASE("field case 9: nothing is asked of mmap beyond the BAR rounded up to pages") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x2804, offsets(0x8000));
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    std::mt19937_64 random(9);
    SpacePlan plan;
    for (int i = 0; i < 500; ++i) {
        const auto width = static_cast<std::uint8_t>(8U << (random() % 4));
        plan.words.push_back(word(random() % 3 == 0 ? random() : random() % 0x4000, width));
    }
    source->read(plan, {});
    REQUIRE(system->maps.size() > 1);
    for (const auto& map : system->maps) {
        CHECK(map.offset >= 0);
        CHECK(map.offset % 4096 == 0);
        CHECK(static_cast<std::uint64_t>(map.offset) + map.length <= 0x3000);
        CHECK(map.length > 0);
    }
}

TEST_CASE("field cases 21, 23 and 32: what is opened and how") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, offsets(0x1000));
    Tree::write_file(tree.device("resource0_wc"), std::string(0x1000, '\x77'));
    REQUIRE(::chmod(tree.device("resource0").c_str(), 0444) == 0);
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    CHECK(value_of(*source, word(0x20)) == 0x20);
    REQUIRE(system->opens.size() == 1);
    CHECK(system->opens[0].path == tree.device("resource0"));
    CHECK(system->opens[0].flags == (O_RDONLY | O_CLOEXEC));
    for (const auto& map : system->maps) {
        CHECK(map.protection == PROT_READ);
        CHECK((map.flags & MAP_SHARED) != 0);
    }
    CHECK(source->describe() == tree.device("resource0") + " (mmap, read-only)");
}

TEST_CASE("field case 23: the program does not know of the kernel's memory device") {
    std::ifstream self("/proc/self/exe", std::ios::binary);
    std::string program(std::filesystem::file_size("/proc/self/exe"), '\0');
    self.read(program.data(), static_cast<std::streamsize>(program.size()));
    REQUIRE(program.size() > 100000);
    CHECK(program.find(std::string("/dev/") + std::string("mem")) == std::string::npos);
}

TEST_CASE("field case 36: a BAR smaller than a page lies at its place in the page") {
    const Tree tree;
    add_bar(tree, 0xfe000c80, 128, offsets(0x1000));
    const auto source = open_source(tree);
    CHECK(value_of(*source, word(0x0)) == 0xc80);
    CHECK(value_of(*source, word(0x4)) == 0xc84);
    CHECK(value_of(*source, word(0x7c)) == 0xcfc);
    CHECK(read_one(*source, word(0x80)).status == WordStatus::out_of_range);
    CHECK(read_one(*source, word(0x7c, 64)).status == WordStatus::misaligned);
    CHECK(source->size() == 128);
}

TEST_CASE("the same BAR on sysfs, where the file's size is the BAR's") {
    const Tree tree;
    add_bar(tree, 0xfe000c80, 128, offsets(0x1000));
    const auto system = std::make_shared<RecordingSystem>();
    system->sysfs = true;
    SECTION("shown as it is") {
        system->shown_size = 128;
        const auto source = open_source(tree, system);
        CHECK(value_of(*source, word(0x7c)) == 0xcfc);
    }
    SECTION("field case 10: not shown at all") {
        system->shown_size = 0;
        CHECK(value_of(*open_source(tree, system), word(0x7c)) == 0xcfc);
    }
    SECTION("shorter than its row") {
        system->shown_size = 64;
        const auto source = open_source(tree, system);
        CHECK(value_of(*source, word(0x3c)) == 0xcbc);
        CHECK(read_one(*source, word(0x40)).status == WordStatus::short_source);
    }
}

TEST_CASE("a file that ends before its row ends the range there: padding is no value") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x3000, offsets(0x1006));
    const auto source = open_source(tree);
    CHECK(source->size() == 0x1006);
    CHECK(value_of(*source, word(0x1000)) == 0x1000);
    CHECK(read_one(*source, word(0x1004)).status == WordStatus::short_source);
    CHECK(read_one(*source, word(0x1004, 16)).status == WordStatus::ok);
    CHECK(read_one(*source, word(0x1006, 8)).status == WordStatus::short_source);
    CHECK(read_one(*source, word(0x1ffc)).status == WordStatus::short_source);
    CHECK(read_one(*source, word(0x2000)).status == WordStatus::short_source);
    CHECK(read_one(*source, word(0x3000)).status == WordStatus::out_of_range);
    CHECK(read_one(*source, word(0x2000)).value == 0);
}

TEST_CASE("an empty file holds nothing") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, "");
    const auto source = open_source(tree);
    CHECK(source->size() == 0);
    CHECK(read_one(*source, word(0)).status == WordStatus::short_source);
}

TEST_CASE("field case 42: byte order is the word's own") {
    const Tree tree;
    std::string bytes(0x1000, '\0');
    bytes.replace(0x10, 4, "\x10\x18\x03\xe8", 4);
    put(bytes, 0x20, 0x0102, 2);
    put(bytes, 0x28, 0xfedcba9876543211, 8);
    add_bar(tree, 0xfe000000, 0x1000, bytes);
    const auto source = open_source(tree);
    CHECK(value_of(*source, word(0x10, 32, ByteOrder::big)) == 0x101803e8);
    CHECK(value_of(*source, word(0x10, 32)) == 0xe8031810);
    CHECK(value_of(*source, word(0x20, 16, ByteOrder::big)) == 0x0201);
    CHECK(value_of(*source, word(0x28, 64)) == 0xfedcba9876543211);
    CHECK(value_of(*source, word(0x28, 64, ByteOrder::big)) == 0x1132547698badcfe);
}

TEST_CASE("field case 41: a 64-bit register in halves") {
    const Tree tree;
    std::string bytes(0x2000, '\0');
    put(bytes, 0x4, 0x1122334455667788, 8);
    put(bytes, 0xffc, 0x8877665544332211, 8);
    add_bar(tree, 0xfe000000, 0x2000, bytes);
    const auto source = open_source(tree);
    SpacePlan plan = plan_of({word(0x4, 64), word(0x4, 64), word(0x4, 64, ByteOrder::big), word(0xffc, 64)});
    for (std::size_t i = 1; i < 4; ++i) {
        plan.words[i].split = Split::hi_lo_hi;
    }
    plan.legal_widths = 0x4;
    const SpaceCapture capture = source->read(plan, {});
    CHECK(capture.words[0].status == WordStatus::illegal_width);
    CHECK(capture.words[1].value == 0x1122334455667788);
    CHECK(capture.words[2].value == 0x8877665544332211);
    CHECK(capture.words[3].value == 0x8877665544332211); // across two pages
    CHECK(capture.loads == 9);
}

TEST_CASE("field case 40: 64 bytes are 16 loads of 4") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, offsets(0x1000));
    SpacePlan plan;
    for (std::uint64_t offset = 0; offset < 64; offset += 4) {
        plan.words.push_back(word(offset));
    }
    const SpaceCapture capture = open_source(tree)->read(plan, {});
    CHECK(capture.loads == 16);
    CHECK(capture.sentinel_loads == 0);
}

TEST_CASE("field cases 45 and 46: a register that a read clears is left alone, and its neighbours are read") {
    const Tree tree;
    std::string bytes = offsets(0x1000);
    put(bytes, 0xc0, 0xcafe0001, 4);
    add_bar(tree, 0xfe000000, 0x1000, bytes);
    SpacePlan plan = plan_of({word(0xbc), word(0xc0), word(0xc4), word(0xc8, 64)});
    plan.words[1].action = ReadAction::clear;
    plan.forbidden = {{0xc0, 0xc4}};
    const SpaceCapture capture = open_source(tree)->read(plan, {});
    CHECK(capture.words[1].status == WordStatus::side_effect);
    CHECK(capture.words[1].value == 0);
    CHECK(capture.words[0].value == 0xbc);
    CHECK(capture.words[2].value == 0xc4);
    CHECK(capture.loads == 3);
    const SpacePlan wide = [&] {
        SpacePlan p = plan_of({word(0xc0, 64)});
        p.forbidden = {{0xc0, 0xc4}};
        return p;
    }();
    CHECK(open_source(tree)->read(wide, {}).words[0].status == WordStatus::touches_forbidden);
}

TEST_CASE("field case 24: a device of ones everywhere") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\xff'));
    Tree::write_file(tree.device("config"), std::string(256, '\xff'));
    SpacePlan plan = plan_of({word(0x10), word(0x14), word(0x18)});
    SECTION("with a sentinel") {
        plan.sentinels = {word(0x0), word(0x4)};
        const SpaceCapture capture = open_source(tree)->read(plan, {});
        CHECK(capture.device_gone);
        CHECK(capture.words[0].status == WordStatus::gone);
        CHECK(capture.words[1].status == WordStatus::not_attempted);
        CHECK(capture.loads == 1);
        CHECK(capture.sentinel_loads == 1);
    }
    SECTION("the word is itself the sentinel") {
        plan.sentinels = {word(0x10)};
        const SpaceCapture capture = open_source(tree)->read(plan, {});
        CHECK(capture.device_gone);
        CHECK(capture.loads == 1);
        CHECK(capture.sentinel_loads == 0);
    }
    SECTION("without one, configuration space decides") {
        const SpaceCapture capture = open_source(tree)->read(plan, {});
        CHECK(capture.device_gone);
        CHECK(capture.loads == 1);
    }
    SECTION("without either, it stays a suspect") {
        std::filesystem::remove(tree.device("config"));
        const SpaceCapture capture = open_source(tree)->read(plan, {});
        CHECK_FALSE(capture.device_gone);
        CHECK(capture.words[2].status == WordStatus::unconfirmed_ones);
        CHECK(capture.loads == 3);
    }
    SECTION("with a sentinel and no configuration space") {
        plan.sentinels = {word(0x0)};
        std::filesystem::remove(tree.device("config"));
        CHECK(open_source(tree)->read(plan, {}).device_gone);
    }
    SECTION("the device's folder went away") {
        const auto source = open_source(tree);
        std::filesystem::remove_all(tree.device());
        CHECK(source->read(plan, {}).device_gone);
    }
}

TEST_CASE("field cases 25 and 30: ones while configuration space answers") {
    const Tree tree;
    std::string bytes(0x3000, '\xff');
    SpacePlan plan = plan_of({word(0x1000), word(0x1004)});
    plan.sentinels = {word(0x0), word(0x2000)};
    SECTION("and a sentinel answers: a value") {
        put(bytes, 0, 0x12345678, 4);
        add_bar(tree, 0xfe000000, 0x3000, bytes);
        const SpaceCapture capture = open_source(tree)->read(plan, {});
        CHECK(capture.words[0].status == WordStatus::all_ones_alive);
        CHECK(capture.words[1].status == WordStatus::all_ones_alive);
        CHECK(capture.loads == 2);
        CHECK(capture.sentinel_loads == 2); // for the first word and at the block's end
    }
    SECTION("and the second sentinel answers") {
        put(bytes, 0x2000, 0x12345678, 4);
        add_bar(tree, 0xfe000000, 0x3000, bytes);
        CHECK(open_source(tree)->read(plan, {}).words[0].status == WordStatus::all_ones_alive);
    }
    SECTION("and no sentinel does: the BAR is dead") {
        add_bar(tree, 0xfe000000, 0x3000, bytes);
        const SpaceCapture capture = open_source(tree)->read(plan, {});
        CHECK(capture.words[0].status == WordStatus::bar_dead);
        CHECK(capture.words[1].status == WordStatus::not_attempted);
        CHECK_FALSE(capture.device_gone);
        CHECK_THAT(capture.note, Catch::Contains("configuration space does"));
        CHECK(capture.loads == 1);
        CHECK(capture.sentinel_loads == 2);
    }
    SECTION("a sentinel that is poison does not answer") {
        put(bytes, 0, 0xdeaddead, 4);
        add_bar(tree, 0xfe000000, 0x3000, bytes);
        plan.poison = {{0xffffffff, 0xdeaddead, 32}};
        CHECK(open_source(tree)->read(plan, {}).words[0].status == WordStatus::bar_dead);
    }
    SECTION("sentinels that must not be read are not") {
        add_bar(tree, 0xfe000000, 0x3000, bytes);
        plan.sentinels = {
            word(0x4000), word(0x2), {0, 32, ReadAction::clear, Split::none, ByteOrder::little}};
        const SpaceCapture capture = open_source(tree)->read(plan, {});
        CHECK(capture.sentinel_loads == 0);
        CHECK(capture.words[0].status == WordStatus::unconfirmed_ones);
    }
}

TEST_CASE("field case 28: a VF of ones asks its physical function") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\xff'));
    Tree::write_file(tree.device("config"), endpoint_config(0xffff, 0xffff));
    add_device(tree, rows({}), {"0000:01:00.7", "0x14e4", "0x1750"});
    std::filesystem::create_symlink("../0000:01:00.7", tree.device("physfn"));
    const SpacePlan plan = plan_of({word(0x10)});
    CHECK(open_source(tree)->read(plan, {}).words[0].status == WordStatus::unconfirmed_ones);
    Tree::write_file(tree.device("config", "0000:01:00.7"), std::string(256, '\xff'));
    CHECK(open_source(tree)->read(plan, {}).words[0].status == WordStatus::gone);
}

TEST_CASE("field case 26: a sentinel that answers on the second try") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\xff'));
    const auto system = std::make_shared<RecordingSystem>();
    system->on_sleep = [&] { Tree::write_file(tree.device("resource0"), offsets(0x1000)); };
    SpacePlan plan = plan_of({word(0x10), word(0x14)});
    plan.sentinels = {word(0x20)};
    SECTION("asked for") {
        const SpaceCapture capture = open_source(tree, system)->read(plan, {true, 0, 1});
        CHECK(capture.words[0].status == WordStatus::ok);
        CHECK(capture.words[0].value == 0x10);
        CHECK((capture.words[0].flags & answered_on_retry) != 0);
        CHECK(capture.words[1].value == 0x14);
        CHECK((capture.words[1].flags & answered_on_retry) == 0);
        CHECK(system->sleeps == std::vector<std::uint64_t>{100'000'000});
        CHECK(capture.loads == 3);
    }
    SECTION("not asked for") {
        CHECK(open_source(tree, system)->read(plan, {}).words[0].status == WordStatus::bar_dead);
        CHECK(system->sleeps.empty());
    }
}

TEST_CASE("a pass that cannot map its later pages keeps the earlier words") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x10000, offsets(0x10000));
    bind_driver(tree, "bnxt_en");
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    system->after_mmap = [&] { system->fail["mmap"] = EINVAL; };
    const SpaceCapture capture = source->read(plan_of({word(0x10), word(0x8000), word(0xc000)}), {});
    CHECK(capture.words[0].value == 0x10);
    CHECK(capture.words[1].status == WordStatus::not_attempted);
    CHECK(capture.words[2].status == WordStatus::not_attempted);
    CHECK_THAT(capture.note, Catch::Contains("stopped at word 1 of 3") && Catch::Contains("bnxt_en"));
}

TEST_CASE("a sentinel whose page cannot be mapped was not asked: the word stays a suspect") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x3000, std::string(0x3000, '\xff'));
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    system->after_mmap = [&] { system->fail["mmap"] = EINVAL; };
    SpacePlan plan = plan_of({word(0x10)});
    plan.sentinels = {word(0x2000)};
    const SpaceCapture capture = source->read(plan, {});
    CHECK(capture.words[0].status == WordStatus::unconfirmed_ones);
    CHECK_FALSE(capture.device_gone);
}

TEST_CASE("a pass takes nothing from the one before") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, offsets(0x1000));
    const auto source = open_source(tree);
    CHECK(value_of(*source, word(0x10)) == 0x10);
    poke(tree.device("resource0"), 0x10, 0x99);
    CHECK(value_of(*source, word(0x10)) == 0x99);
}

TEST_CASE("an empty plan is an empty capture") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, offsets(0x1000));
    const SpaceCapture capture = open_source(tree)->read({}, {});
    CHECK(capture.words.empty());
    CHECK(capture.loads == 0);
    CHECK(capture.note.empty());
}
