// Text coming in: numbers, dump files, the command line.
#include <catch2/catch.hpp>

#include <commands/arguments.h>
#include <device/dump_file.h>
#include <device/number.h>
#include <device/offline_source.h>

using namespace barscope;
using namespace barscope::tool;
using safety::ByteOrder;

TEST_CASE("Numbers are decimal, hex or binary, and nothing else") {
    CHECK(parse_number("0") == 0U);
    CHECK_FALSE(parse_number("010").has_value()); // octal, decimal or hex: not guessed
    CHECK(parse_number("0x1F") == 31U);
    CHECK(parse_number("0b101") == 5U);
    CHECK(parse_number("18446744073709551615") == 18446744073709551615U);
    CHECK(parse_number("0xffffffffffffffff") == 0xffffffffffffffffU);
    for (const char* text : {"", "0x", "0b", "0b2", "18446744073709551616", "0x10000000000000000", "-1", "+1",
                             " 1", "1 ", "1.000", "1,0", "0xg", "ten"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_number(text).has_value());
    }
}

TEST_CASE("Binary dumps hold what lies within them, in either byte order") {
    const DumpImage image = DumpImage::from_bytes({0x10, 0x18, 0x03, 0xe8, 0x05}, 0x100);
    CHECK(image.word(0x100, 32, ByteOrder::big) == 0x101803e8U); // field case 42
    CHECK(image.word(0x100, 32, ByteOrder::little) == 0xe8031810U);
    CHECK(image.word(0x102, 16, ByteOrder::little) == 0xe803U);
    CHECK(image.word(0x104, 8, ByteOrder::little) == 0x05U);
    CHECK_FALSE(image.word(0x104, 16, ByteOrder::little).has_value());
    CHECK_FALSE(image.word(0xff, 8, ByteOrder::little).has_value());
    CHECK_FALSE(image.word(0xffffffffffffffff, 32, ByteOrder::little).has_value());
    CHECK(image.end() == 0x105);
}

TEST_CASE("Value lines: padded hex tells the width, narrower and wider words are put together") {
    const auto image = DumpImage::from_value_lines("0x8 0x44332211\n0xc: 0x88776655 # comment\n\n", "f");
    REQUIRE(image);
    CHECK(image->word(0x8, 32, ByteOrder::little) == 0x44332211U);
    CHECK(image->word(0x8, 64, ByteOrder::little) == 0x8877665544332211U);
    CHECK(image->word(0x8, 64, ByteOrder::big) == 0x4433221188776655U);
    CHECK(image->word(0x9, 8, ByteOrder::little) == 0x22U);
    CHECK(image->word(0x9, 8, ByteOrder::big) == 0x33U);
    CHECK(image->word(0xa, 16, ByteOrder::little) == 0x4433U);
    CHECK_FALSE(image->word(0x10, 32, ByteOrder::little).has_value());
}

TEST_CASE("Value lines in decimal and short hex are 32-bit words") {
    const auto image = DumpImage::from_value_lines("0 7\n4 0x2\n", "f");
    REQUIRE(image);
    CHECK(image->word(0, 32, ByteOrder::little) == 7U);
    CHECK(image->word(4, 32, ByteOrder::little) == 2U);
    CHECK(image->word(0, 64, ByteOrder::little) == 0x0000000200000007U);
}

TEST_CASE("Value lines of one byte each") {
    const auto image = DumpImage::from_value_lines("0x0 0x11\n0x1 0x22\n0x2 0x33\n0x3 0x44\n", "f");
    REQUIRE(image);
    CHECK(image->word(0, 32, ByteOrder::little) == 0x44332211U);
    CHECK(image->word(2, 16, ByteOrder::big) == 0x3344U);
}

TEST_CASE("Bad dump files are told by line") {
    const auto what = [](std::string_view text) {
        const auto image = DumpImage::from_value_lines(text, "f");
        return image ? std::string("parsed") : image.error().where;
    };
    CHECK(what("0x0 0x1\nhello world\n") == "f, line 2");
    CHECK(what("0x0 0x1 0x2\n") == "f, line 1");
    CHECK(what("0x0\n") == "f, line 1");
    CHECK(what("0x4 0x00000001\n0x0 0x00000001\n0x4 0x00000002\n") == "f, line 3");
    CHECK(what("# nothing\n") == "f");
    CHECK(what("0x0 0x1\n0x0 0x1\n") == "parsed"); // the same twice contradicts nothing
}

TEST_CASE("Byte rows have holes where lspci printed none") {
    const auto image = DumpImage::parse("00: f4 1a 00 10\n10: 61 c0\n", 0, "f");
    REQUIRE(image);
    CHECK(image->word(0, 16, ByteOrder::little) == 0x1af4U);
    CHECK(image->word(0x10, 16, ByteOrder::little) == 0xc061U);
    CHECK_FALSE(image->word(4, 8, ByteOrder::little).has_value());
    CHECK_FALSE(image->word(0x10, 32, ByteOrder::little).has_value());
    // Two devices in one file cannot be told apart.
    CHECK_FALSE(DumpImage::parse("00: f4 1a\n00: 86 80\n", 0, "f").has_value());
    CHECK_FALSE(DumpImage::parse("fff: 00 00\n", 0, "f").has_value());
}

namespace {

safety::Word offline_word(std::vector<std::uint8_t> bytes, const safety::SpacePlan& plan,
                          std::optional<bool> config) {
    OfflineContent content;
    auto image = std::make_shared<DumpImage>(DumpImage::from_bytes(std::move(bytes), 0));
    content.fetch = [image](const safety::WordRequest& request) -> OfflineWord {
        return {image->word(request.offset, request.width, request.order), safety::WordStatus::short_source};
    };
    content.config_answers = config;
    return make_offline_source(std::move(content))->read(plan, {}).words.at(0);
}

safety::SpacePlan plan_at(std::uint64_t offset) {
    safety::SpacePlan plan;
    plan.words.push_back({.offset = offset, .action = safety::ReadAction::none});
    return plan;
}

} // namespace

TEST_CASE("All ones in a dump are judged as on a device: three answers are told apart") {
    using safety::WordStatus;
    const std::vector<std::uint8_t> alive{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
    const std::vector<std::uint8_t> dead(8, 0xff);
    safety::SpacePlan plan = plan_at(4);
    CHECK(offline_word(dead, plan, std::nullopt).status == WordStatus::unconfirmed_ones);
    plan.sentinels.push_back({.offset = 0, .action = safety::ReadAction::none});
    CHECK(offline_word(alive, plan, std::nullopt).status == WordStatus::all_ones_alive);
    CHECK(offline_word(dead, plan, std::nullopt).status == WordStatus::unconfirmed_ones);
    CHECK(offline_word(dead, plan, true).status == WordStatus::bar_dead);
    CHECK(offline_word(dead, plan, false).status == WordStatus::gone);
    CHECK(offline_word({1, 0, 0, 0}, plan, true).status == WordStatus::short_source);
}

TEST_CASE("Poison in a dump is poison") {
    safety::SpacePlan plan = plan_at(0);
    plan.poison.push_back({.mask = 0xffff0000, .pattern = 0xbadf0000, .width = 32});
    CHECK(offline_word({0x34, 0x12, 0xdf, 0xba}, plan, true).status == safety::WordStatus::poison);
    CHECK(offline_word({0x34, 0x12, 0xde, 0xba}, plan, true).status == safety::WordStatus::ok);
}

namespace {

Result<Invocation> parse(std::vector<const char*> words) {
    words.insert(words.begin(), "barscope");
    return parse_arguments(static_cast<int>(words.size()), words.data());
}

} // namespace

TEST_CASE("The command line becomes a value") {
    const auto parsed = parse({"--root", "/r", "read", "02:00.0", "A", "B.C", "--group", "x", "--group=y",
                               "--retry", "0x2", "--no-timing", "--format", "json"});
    REQUIRE(parsed);
    const Arguments& arguments = parsed->arguments;
    CHECK(arguments.command == Command::read);
    CHECK(arguments.root == "/r");
    CHECK(arguments.device == "02:00.0");
    CHECK(arguments.registers == std::vector<std::string>{"A", "B.C"});
    CHECK(arguments.capture.groups == std::vector<std::string>{"x", "y"});
    CHECK(arguments.capture.retries == 2);
    CHECK_FALSE(arguments.capture.timing);
    CHECK(arguments.json);
    CHECK_FALSE(arguments.lab_override.has_value());
}

TEST_CASE("A repeatable option takes one value each time, so that names behind it stay names") {
    const auto parsed = parse({"read", "02:00.0", "--group", "x", "A"});
    REQUIRE(parsed);
    CHECK(parsed->arguments.registers == std::vector<std::string>{"A"});
}

TEST_CASE("Lab override is made from both options together and from nothing else") {
    const auto both = parse({"read", "d", "A", "--lab-override", "--reason", "why"});
    REQUIRE(both);
    REQUIRE(both->arguments.lab_override.has_value());
    CHECK(both->arguments.lab_override->reason() == "why");
    CHECK_FALSE(parse({"read", "d", "A", "--lab-override"}).has_value());
    CHECK_FALSE(parse({"read", "d", "A", "--reason", "why"}).has_value());
    CHECK_FALSE(parse({"read", "d", "A", "--lab-override", "--reason", "  "}).has_value());
}

TEST_CASE("Usage errors exit with 2") {
    for (const std::vector<const char*>& words : {std::vector<const char*>{"nonsense"},
                                                  {"read"},
                                                  {"read", "d"},
                                                  {"dump", "d", "--bar", "6"},
                                                  {"list", "--format", "xml"},
                                                  {"dump", "d", "--source", "magic"},
                                                  {"--root"},
                                                  {"maps", "check"},
                                                  {"maps", "show", "a", "b"},
                                                  {"dump", "d", "--nope"}}) {
        const auto parsed = parse(words);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(exit_status(parsed.error().code) == 2);
    }
}
