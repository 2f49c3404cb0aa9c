// The driver's own register dump as a source of BAR words. Layouts as the map describes them; values made up.
#include <catch2/catch.hpp>

#include <capture/capture.h>
#include <device/driver_dump.h>
#include <regmaps/loader.h>

using namespace barscope;
using namespace barscope::tool;

namespace {

constexpr const char* map_text = R"({
  "formatVersion": 1, "name": "dumped", "title": "t", "version": "1", "sources": ["made for the tests"],
  "spaces": [
    {"name": "whole", "bar": 0, "base": "0x100", "size": "0x10",
     "ethtool": {"driver": ["one", "two"], "dumpOffset": 4, "sideEffectFree": true}},
    {"name": "picked", "bar": 0, "base": "0x1000", "size": "0x100",
     "ethtool": {"driver": "two", "version": {"mask": "0xff", "value": 3}, "registers": {"FAR": 0}, "sideEffectFree": true}},
    {"name": "risky", "bar": 2, "size": "0x10", "ethtool": {"driver": "one", "dumpOffset": 0}},
    {"name": "other", "bar": 4, "size": "0x10"}],
  "registers": [
    {"name": "A", "space": "whole", "offset": 0, "readAction": "none"},
    {"name": "B", "space": "whole", "offset": "0xc", "readAction": "none"},
    {"name": "FAR", "space": "picked", "offset": "0x40", "readAction": "none"},
    {"name": "NEAR", "space": "picked", "offset": "0x44", "readAction": "none"}]
})";

struct Fixture {
    regmaps::RegisterMap map;
    regmaps::Layout layout;

    Fixture() {
        auto loaded = regmaps::load_map(map_text, "test", [](std::string_view) -> Result<regmaps::MapText> {
            return fail({ErrorCode::bad_input, "none", "no includes", "", ""});
        });
        REQUIRE(loaded);
        map = std::move(*loaded);
        auto placed = regmaps::place_map(map, {});
        REQUIRE(placed);
        layout = std::move(*placed);
    }

    Result<std::unique_ptr<safety::WordSource>> source(std::string driver, std::uint32_t version) const {
        std::vector<std::uint8_t> bytes;
        for (std::uint8_t i = 0; i < 16; ++i) {
            bytes.push_back(i);
        }
        return source_of_driver_dump({std::move(driver), version, bytes}, "eth0", map, layout, 0,
                                     std::nullopt);
    }

    static safety::Word word(safety::WordSource& source, std::uint64_t offset) {
        safety::SpacePlan plan;
        plan.words.push_back({.offset = offset, .action = safety::ReadAction::none});
        return source.read(plan, {}).words.at(0);
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "What the map says of a driver's dump decides whether it is offered") {
    CHECK(driver_dump_offer(map, layout, 0, "one") == DumpOffer::safe);
    CHECK(driver_dump_offer(map, layout, 0, "another") == DumpOffer::none);
    CHECK(driver_dump_offer(map, layout, 0, "") == DumpOffer::none);
    CHECK(driver_dump_offer(map, layout, 2, "one") == DumpOffer::side_effects);
    CHECK(driver_dump_offer(map, layout, 4, "one") == DumpOffer::none);
}

TEST_CASE_METHOD(Fixture, "A space lies in the dump from its offset on") {
    const auto dump = source("one", 0);
    REQUIRE(dump);
    const safety::Word a = word(**dump, 0x100);
    CHECK(a.status == safety::WordStatus::ok);
    CHECK(a.value == 0x07060504); // dump bytes 4..7
    CHECK(word(**dump, 0x108).value == 0x0f0e0d0c);
    CHECK(word(**dump, 0x10c).status == safety::WordStatus::short_source); // dump bytes 16..19
    CHECK(word(**dump, 0xfc).status == safety::WordStatus::not_covered);
    CHECK(word(**dump, 0x110).status == safety::WordStatus::not_covered);
}

TEST_CASE_METHOD(Fixture, "Single registers lie where the map says, for the layout's version only") {
    const auto right = source("two", 0x103);
    REQUIRE(right);
    CHECK(word(**right, 0x1040).value == 0x03020100);
    CHECK(word(**right, 0x1044).status == safety::WordStatus::not_covered);
    const auto other_version = source("two", 0x104);
    REQUIRE(other_version);
    CHECK(word(**other_version, 0x1040).status == safety::WordStatus::not_covered);
}

TEST_CASE_METHOD(Fixture, "A dump of an unknown driver is no source") {
    const auto dump = source("another", 0);
    REQUIRE_FALSE(dump);
    CHECK(dump.error().cause == "driver-dump-unknown");
}

TEST_CASE_METHOD(Fixture, "The source names the driver, the interface and the call") {
    const auto dump = source("one", 0x12);
    REQUIRE(dump);
    CHECK((*dump)->describe() == "register dump of driver one for eth0 (ETHTOOL_GREGS, version 0x12)");
}

TEST_CASE("What a driver's dump does not hold is a failure only where it was named") {
    Capture capture;
    for (const safety::WordStatus status : {safety::WordStatus::ok, safety::WordStatus::not_covered}) {
        capture.shown.push_back(static_cast<regmaps::Index>(capture.raw.words.size()));
        capture.raw.words.push_back({.status = status});
        capture.refusal.push_back(0);
        capture.named.push_back(false);
        capture.held.push_back(false);
    }
    CHECK(exit_status(capture) == 0);
    capture.named[1] = true;
    CHECK(exit_status(capture) == 4);
    capture.named[1] = false;
    capture.raw.words[1].status = safety::WordStatus::lost; // as against one that was lost
    CHECK(exit_status(capture) == 4);
}
