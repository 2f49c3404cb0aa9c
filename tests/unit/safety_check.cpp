#include <catch2/catch.hpp>

#include <safety/access.h>

#include "byte_order.h"
#include "mapping.h"
#include "split_load.h"
#include "word_check.h"

using namespace barscope::safety;

namespace {

WordRequest word(std::uint64_t offset, std::uint8_t width = 32) {
    return {offset, width, ReadAction::none, Split::none, ByteOrder::little};
}

WordStatus checked(const WordRequest& request, const SpacePlan& plan = {},
                   SourceBounds bounds = {0x1000, 0x1000}) {
    return WordCheck(plan, bounds)(request);
}

} // namespace

TEST_CASE("field case 8: the end of the access counts, and nothing overflows") {
    CHECK(checked(word(0xffc)) == WordStatus::ok);
    CHECK(checked(word(0xffd)) == WordStatus::misaligned);
    CHECK(checked(word(0xffe)) == WordStatus::misaligned);
    CHECK(checked(word(0x1000)) == WordStatus::out_of_range);
    CHECK(checked(word(0xfffffffffffffffc)) == WordStatus::out_of_range);
    CHECK(checked(word(0xfffffffffffffff8, 64)) == WordStatus::out_of_range);
    CHECK(checked(word(0xff8, 64)) == WordStatus::ok);
    CHECK(checked(word(0xffc, 64)) == WordStatus::misaligned);
    CHECK(checked(word(0xfff, 8)) == WordStatus::ok);
    CHECK(checked(word(0xffffffffffffffff, 8)) == WordStatus::out_of_range);
    CHECK(checked(word(0, 8), {}, {0, 0}) == WordStatus::out_of_range);
    // A BAR whose size is no multiple of the width.
    CHECK(checked(word(0x1000), {}, {0x1002, 0x1002}) == WordStatus::out_of_range);
}

TEST_CASE("only a register whose read is declared free of side effects is read") {
    for (const ReadAction action :
         {ReadAction::clear, ReadAction::set, ReadAction::modify, ReadAction::modify_external}) {
        CHECK(checked({0, 32, action, Split::none, ByteOrder::little}) == WordStatus::side_effect);
    }
    CHECK(checked({0, 32, ReadAction::unclaimed, Split::none, ByteOrder::little}) == WordStatus::unclaimed);
    CHECK(checked(WordRequest{}) == WordStatus::unclaimed); // the default is the refusal
}

TEST_CASE("field cases 4 and 5: widths that a space does not take") {
    SpacePlan only32;
    only32.legal_widths = 0x4;
    CHECK(checked(word(0, 32), only32) == WordStatus::ok);
    CHECK(checked(word(0, 8), only32) == WordStatus::illegal_width);
    CHECK(checked(word(0, 16), only32) == WordStatus::illegal_width);
    CHECK(checked(word(0, 64), only32) == WordStatus::illegal_width);
    for (const unsigned width : {0U, 1U, 7U, 24U, 33U, 48U, 128U, 255U}) {
        CHECK(checked(word(0, static_cast<std::uint8_t>(width))) == WordStatus::illegal_width);
    }
}

TEST_CASE("field case 41: a 64-bit register at a 4-aligned offset is read in halves or not at all") {
    CHECK(checked(word(4, 64)) == WordStatus::misaligned);
    WordRequest split = word(4, 64);
    split.split = Split::hi_lo_hi;
    CHECK(checked(split) == WordStatus::ok);
    split.offset = 2;
    CHECK(checked(split) == WordStatus::misaligned);
    split.offset = 0xffc;
    CHECK(checked(split) == WordStatus::out_of_range);
    SpacePlan only64;
    only64.legal_widths = 0x8;
    split.offset = 8;
    CHECK(checked(split, only64) == WordStatus::illegal_width); // halves are loads of 32 bits
}

TEST_CASE("the map's space ends before the BAR does") {
    SpacePlan plan;
    plan.size_limit = 0x100;
    CHECK(checked(word(0xfc), plan) == WordStatus::ok);
    CHECK(checked(word(0x100), plan) == WordStatus::out_of_range);
    CHECK(checked(word(0xf8, 64), plan) == WordStatus::ok);
    plan.size_limit = 0x102;
    CHECK(checked(word(0x100), plan) == WordStatus::out_of_range);
}

TEST_CASE("a load must not touch a neighbour that must not be read") {
    SpacePlan plan;
    plan.forbidden = {{0x10, 0x14}, {0x20, 0x21}};
    CHECK(checked(word(0x0c), plan) == WordStatus::ok);
    CHECK(checked(word(0x10), plan) == WordStatus::touches_forbidden);
    CHECK(checked(word(0x14), plan) == WordStatus::ok);
    CHECK(checked(word(0x08, 64), plan) == WordStatus::ok);
    CHECK(checked(word(0x10, 64), plan) == WordStatus::touches_forbidden);
    CHECK(checked(word(0x12, 8), plan) == WordStatus::touches_forbidden);
    CHECK(checked(word(0x20), plan) == WordStatus::touches_forbidden);
    CHECK(checked(word(0x21, 8), plan) == WordStatus::ok);
    SECTION("in whatever order, overlapping or empty") {
        plan.forbidden = {{0x30, 0x34}, {0x00, 0x40}, {0x10, 0x14}, {0x50, 0x50}, {0x60, 0x58}};
        CHECK(checked(word(0x38), plan) == WordStatus::touches_forbidden);
        CHECK(checked(word(0x00), plan) == WordStatus::touches_forbidden);
        CHECK(checked(word(0x40), plan) == WordStatus::ok);
        CHECK(checked(word(0x50), plan) == WordStatus::ok);
        CHECK(checked(word(0x58), plan) == WordStatus::ok);
    }
}

TEST_CASE("a source that ends early is short, beyond the BAR is out of range") {
    CHECK(checked(word(0x7c), {}, {0x1000, 0x80}) == WordStatus::ok);
    CHECK(checked(word(0x80), {}, {0x1000, 0x80}) == WordStatus::short_source);
    CHECK(checked(word(0x80), {}, {0x1000, 0x82}) == WordStatus::short_source);
    CHECK(checked(word(0x1000), {}, {0x1000, 0x80}) == WordStatus::out_of_range);
    CHECK(checked(word(0), {}, {0x1000, 0}) == WordStatus::short_source);
}

TEST_CASE("poison applies to its width, under its mask") {
    const std::vector<Poison> poison{{0xffff0000, 0xbadf0000, 32}};
    CHECK(matches_poison(poison, 32, 0xbadf1234));
    CHECK_FALSE(matches_poison(poison, 32, 0xbade1234));
    CHECK_FALSE(matches_poison(poison, 64, 0xbadf1234));
}

TEST_CASE("field case 42: byte order is the space's") {
    // Bytes 10 18 03 e8 as a little-endian host loads them.
    CHECK(swap_bytes(0xe8031810, 32) == 0x101803e8);
    CHECK(swap_bytes(0x1234, 16) == 0x3412);
    CHECK(swap_bytes(0x12, 8) == 0x12);
    CHECK(swap_bytes(0x0102030405060708, 64) == 0x0807060504030201);
    CHECK(to_host(0x1234, 16,
                  std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big) == 0x1234);
}

TEST_CASE("a split value is read high, low, high; torn once it is retried, torn twice it is said") {
    std::vector<std::uint32_t> high, low;
    std::string order;
    const auto load = [&](std::vector<std::uint32_t>& values, char name) {
        order += name;
        const std::uint32_t value = values.front();
        values.erase(values.begin());
        return value;
    };
    const auto read = [&] {
        return load_split([&] { return load(high, 'H'); }, [&] { return load(low, 'L'); });
    };
    SECTION("steady") {
        high = {1, 1};
        low = {0xfffffff0};
        const SplitValue value = read();
        CHECK(value.value == 0x1fffffff0);
        CHECK_FALSE(value.torn);
        CHECK(order == "HLH");
    }
    SECTION("carried between the halves: the second try holds") {
        high = {1, 2, 2};
        low = {0xffffffff, 0x00000003};
        const SplitValue value = read();
        CHECK(value.value == 0x200000003);
        CHECK_FALSE(value.torn);
        CHECK(order == "HLHLH");
    }
    SECTION("carried twice") {
        high = {1, 2, 3};
        low = {0, 0};
        CHECK(read().torn);
        CHECK(order == "HLHLH");
    }
}

TEST_CASE("a BAR's place in the pages the kernel maps") {
    SECTION("field case 36: 128 bytes at ...c80") {
        const BarGeometry geometry({BarKind::memory32, 0xfe000c80, 128, 0x40200, false}, 4096);
        CHECK(geometry.delta() == 0xc80);
        CHECK(geometry.size() == 128);
        CHECK(geometry.pages(0x7c, 4).begin == 0);
        CHECK(geometry.pages(0x7c, 4).end == 4096);
    }
    SECTION("pages of 64 KiB") {
        const BarGeometry geometry({BarKind::memory32, 0xfe004000, 0x4000, 0x40200, false}, 65536);
        CHECK(geometry.delta() == 0x4000);
        CHECK(geometry.pages(0x3ffc, 4).end == 65536);
    }
    SECTION("beyond 4 GiB") {
        const BarGeometry geometry({BarKind::memory64, 0x380000000000, 0x1000000000, 0x14220c, false}, 4096);
        CHECK(geometry.pages(0x105867000, 4).begin == 0x105867000);
        CHECK(geometry.pages(0xffffffffc, 4).end == 0x1000000000);
    }
    SECTION("a row that no device can have stays within the BAR rounded up to pages") {
        const BarGeometry geometry({BarKind::memory32, 0xfe000c80, 0x1000, 0x40200, false}, 4096);
        CHECK(geometry.size() == 0x1000 - 0xc80);
    }
    SECTION("a file that is shorter or longer than its row") {
        const BarGeometry geometry({BarKind::memory32, 0xfe000000, 0x2000, 0x40200, false}, 4096);
        CHECK(geometry.bounds(0x1004, false).readable == 0x1004);
        CHECK(geometry.bounds(0x1004, false).size == 0x2000);
        CHECK(geometry.bounds(0x4000, false).readable == 0x2000);
        CHECK(geometry.bounds(0, false).readable == 0);
        CHECK(geometry.bounds(0, true).readable == 0x2000); // sysfs that shows no size
        CHECK(geometry.bounds(0x1000, true).readable == 0x1000);
        const BarGeometry small({BarKind::memory32, 0xfe000c80, 128, 0x40200, false}, 4096);
        CHECK(small.bounds(0xd00, false).readable == 128);
        CHECK(small.bounds(0xc84, false).readable == 4);
        CHECK(small.bounds(128, false).readable == 0);
        CHECK(small.bounds(128, true).readable == 128); // on sysfs the size is the BAR's own
    }
}

TEST_CASE("every status has a name of its own and an explanation") {
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(WordStatus::redacted); ++i) {
        const auto status = static_cast<WordStatus>(i);
        const std::string text(name(status));
        CHECK(std::find(names.begin(), names.end(), text) == names.end());
        names.push_back(text);
        CHECK_FALSE(explain(status).empty());
        CHECK(has_value(status) == (status == WordStatus::ok || status == WordStatus::all_ones_alive));
    }
    CHECK(name(WordStatus::not_attempted) == "not-attempted");
    CHECK(name(WordStatus::side_effect) == "side-effect");
}
