// JSON as such: what is refused, and where the error says it is.
#include "json_scanner.h"
#include "regmaps_loader_support.h"

using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

void bad_syntax(const std::string& text, const std::string& pointer, const std::string& says) {
    check_bad(text, pointer, says, "map-syntax");
}

} // namespace

TEST_CASE("broken JSON is reported where it breaks") {
    bad_syntax("@@", "(document)", "the document ends where a value should be");
    bad_syntax("{\"name\": @@nul}", "(document)", "expected a value");
    bad_syntax("{\"name\" @@1}", "(document)", "expected :");
    bad_syntax("{@@name: 1}", "(document)", "expected a key");
    bad_syntax("{\"a\": 1,@@}", "(document)", "expected a key");
    bad_syntax("{\"a\": 1 @@\"b\": 2}", "(document)", "expected , or }");
    bad_syntax("{\"registers\": [\n  {\"width\": 8},\n  {\"offset\": [1 @@2]}]}", "/registers/1/offset",
               "expected , or ]");
    bad_syntax("{\"registers\": [1,@@]}", "/registers", "expected a value");
    bad_syntax("{} @@x", "(document)", "text behind the end");
    bad_syntax("{\"a\": [1, 2@@", "/a", "the document ends within an array");
    bad_syntax("{\"a\": {\"b\": 2@@", "/a", "the document ends within an object");
    bad_syntax("{\"a\": @@\"abc", "(document)", "the document ends within this text");
}

TEST_CASE("columns count characters, not bytes") {
    bad_syntax("{\"title\": \"\xc3\xa9\xe2\x82\xac\", @@x}", "(document)", "expected a key");
}

TEST_CASE("a byte order mark is skipped") {
    CHECK(must_load("\xef\xbb\xbf" + bar_map("\"registers\": []")).name == "test");
}

TEST_CASE("numbers that JSON does not have") {
    bad_syntax("{\"a\": @@0x10}", "(document)", "\"0x1f\"");
    bad_syntax("{\"a\": @@010}", "(document)", "leading zeros");
    bad_syntax("{\"a\": @@NaN}", "(document)", "expected a value");
    bad_syntax("{\"a\": @@-Infinity}", "(document)", "expected a digit");
    bad_syntax("{\"a\": @@+1}", "(document)", "expected a value");
    bad_syntax("{\"a\": @@.5}", "(document)", "expected a value");
    bad_syntax("{\"a\": 1.@@}", "(document)", "decimal point");
    bad_syntax("{\"a\": 1e@@}", "(document)", "exponent");
    bad_syntax("{\"a\": @@1e999}", "(document)", "double cannot hold");
    bad_syntax("{\"a\": @@-1e999}", "(document)", "double cannot hold");
}

TEST_CASE("texts that are not UTF-8, or hold what a terminal would obey") {
    bad_syntax("{\"a\": \"x@@\xff\"}", "(document)", "UTF-8");
    bad_syntax("{\"a\": \"x@@\xc0\xaf\"}", "(document)", "UTF-8");         // overlong
    bad_syntax("{\"a\": \"x@@\xed\xa0\x80\"}", "(document)", "UTF-8");     // surrogate
    bad_syntax("{\"a\": \"x@@\xf4\x90\x80\x80\"}", "(document)", "UTF-8"); // beyond U+10FFFF
    bad_syntax("{\"a\": \"x@@\xc3", "(document)", "UTF-8");
    bad_syntax("{\"a\": \"x@@\x1b[2J\"}", "(document)", "control character");
    bad_syntax("{\"a\": \"x@@\\u001b[2J\"}", "(document)", "control character");
    bad_syntax("{\"a\": \"x@@\\u009b\"}", "(document)", "control character"); // CSI
    bad_syntax("{\"a\": \"x@@\xc2\x9b\"}", "(document)", "control character");
    bad_syntax("{\"a\": \"x@@\x7f\"}", "(document)", "control character");
    bad_syntax("{\"a\": \"x@@\\u202e\"}", "(document)", "direction of writing"); // right-to-left override
    bad_syntax("{\"a\": \"x@@\xe2\x81\xa6\"}", "(document)", "direction of writing"); // U+2066, an isolate
    bad_syntax("{\"a\": \"x@@\\u200b\"}", "(document)", "not seen");                  // zero-width space
    bad_syntax("{\"a\": \"x@@\\x\"}", "(document)", "escape");
    bad_syntax("{\"a\": \"x@@\\u12g4\"}", "(document)", "hex digits");
    bad_syntax("{\"a\": \"x@@\\ud800\"}", "(document)", "surrogate");
    bad_syntax("{\"a\": \"x@@\\udc00\"}", "(document)", "surrogate");
}

TEST_CASE("escapes are decoded") {
    const RegisterMap map = must_load(
        R"({"formatVersion": 1, "name": "test", "title": "\u0041\"\\\/\n\t\u00e9\u20ac\ud83d\ude00 end", "version": "1",)"
        R"( "sources": ["s"]})");
    CHECK(map.title == "A\"\\/\n\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 end");
}

TEST_CASE("a character that ends or spoils a text is seen wherever it stands") {
    // Runs of plain characters are taken many at a time.
    for (std::size_t size = 1; size <= 40; ++size) {
        for (std::size_t at = 0; at < size; ++at) {
            for (const char bad : {'\x7f', '\x1f', '\x01', '\x80', '\xff'}) {
                std::string text(size, '~');
                text[at] = bad;
                const auto tape =
                    scan_json("[\"" + text + "\", \"more than sixteen characters behind it\"]", "t");
                INFO(size << " " << at << " " << static_cast<int>(bad));
                CHECK_FALSE(tape.has_value());
            }
            std::string text(size, ' ');
            text[at] = '"';
            const auto tape = scan_json("[\"" + text, "t");
            CHECK_FALSE(tape.has_value());
        }
    }
}

TEST_CASE("duplicate keys are refused, known ones and others") {
    bad_syntax("{\"name\": \"a\",\n \"title\": \"b\",\n @@\"name\": \"c\"}", "/name",
               "\"name\" stands here twice");
    bad_syntax("{\"registers\": [{\"width\": 8, @@\"width\": 8}]}", "/registers/0/width",
               "\"width\" stands here twice");
    bad_syntax("{\"enums\": {\"A\": {\"1\": \"X\", \"2\": \"Y\",\n@@\"1\": \"Z\"}}}", "/enums/A/1",
               "\"1\" stands here twice");
    // The same key written with an escape.
    bad_syntax("{\"x-a\": 1, @@\"x-\\u0061\": 2}", "/x-a", "\"x-a\" stands here twice");
}

TEST_CASE("depth and size have limits") {
    check_bad("{@@\"x-" + std::string(255, 'a') + "\": 1}", "(document)", "a key of more than 256 bytes",
              "map-syntax");
    const std::string deep = std::string(31, '[') + "@@" + std::string(2, '[');
    check_bad("{\"x-a\": " + deep, "/x-a" + std::string([] {
                                       std::string steps;
                                       for (int i = 0; i < 30; ++i) {
                                           steps += "/0";
                                       }
                                       return steps;
                                   }()),
              "nested deeper than 32", "map-syntax");
    const std::string large((std::size_t{64} << 20) + 1, ' ');
    const auto map = load_text(large);
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().cause == "map-syntax");
    CHECK_THAT(map.error().what, Catch::Contains("67108864"));
}

TEST_CASE("numbers where they do not belong") {
    const auto reg = [](const std::string& offset) {
        return bar_map("\"registers\": [{\"name\": \"A\", \"readAction\": \"none\",\n  \"offset\": @@" +
                       offset + "}]");
    };
    check_bad(reg("-1"), "/registers/0/offset", "negative");
    check_bad(reg("1.0"), "/registers/0/offset", "fraction");
    check_bad(reg("1e3"), "/registers/0/offset", "fraction");
    check_bad(reg("18446744073709551616"), "/registers/0/offset", "64 bits");
    check_bad(reg("\"0x10000000000000000\""), "/registers/0/offset", "64 bits");
    check_bad(reg("\"010\""), "/registers/0/offset", "octal");
    check_bad(reg("\"0b102\""), "/registers/0/offset", "not a number");
    check_bad(reg("\"\""), "/registers/0/offset", "not a number");
    check_bad(reg("\"-4\""), "/registers/0/offset", "not a number");
    check_bad(reg("\" 4\""), "/registers/0/offset", "not a number");
    check_bad(reg("\"0x\""), "/registers/0/offset", "not a number");
    check_bad(reg("null"), "/registers/0/offset", "must be a number, not null");
    check_bad(reg("[1]"), "/registers/0/offset", "must be a number, not a list");
    check_bad(reg("true"), "/registers/0/offset", "must be a number, not true or false");
}

TEST_CASE("numbers in every spelling are the same number") {
    for (const std::string offset : {"16", "\"16\"", "\"0x10\"", "\"0X10\"", "\"0b10000\""}) {
        const RegisterMap map = must_load(
            bar_map(R"("registers": [{"name": "A", "readAction": "none", "offset": )" + offset + "}]"));
        CHECK(map.registers[0].offset == 16);
    }
    const RegisterMap map = must_load(bar_map(
        R"("registers": [{"name": "A", "offset": 0, "width": 64, "readAction": "none", "resetValue": 18446744073709551615,
            "writeMask": "0xfedcba9876543211"}])"));
    CHECK(map.registers[0].reset_value == 0xffffffffffffffff);
    CHECK(map.registers[0].write_mask == 0xfedcba9876543211);
}
