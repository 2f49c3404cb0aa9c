// Text going out: JSON, safe text, numbers. Right values: RFC 8259 and RFC 3629, worked out by hand.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <render/digits.h>
#include <render/escape.h>
#include <render/json_writer.h>
#include <render/size_text.h>
#include <render/table.h>

using namespace barscope::tool;

namespace {

std::string json_string(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

} // namespace

TEST_CASE("JSON nests with commas where they belong") {
    std::string out;
    JsonWriter json(out);
    json.begin_object();
    json.member("a", "x");
    json.key("list");
    json.begin_array();
    json.hex(0x2a, 8);
    json.number(18446744073709551615U);
    json.null();
    json.begin_array();
    json.end_array();
    json.begin_object();
    json.end_object();
    json.end_array();
    json.member_bool("b", true);
    json.end_object();
    CHECK(out == R"({"a": "x", "list": ["0x0000002a", 18446744073709551615, null, [], {}], "b": true})");
    CHECK(nlohmann::json::accept(out));
}

TEST_CASE("A line break before an element changes nothing but the layout") {
    std::string out;
    JsonWriter json(out);
    json.begin_array();
    json.break_line();
    json.number(1);
    json.break_line();
    json.number(2);
    json.end_array();
    json.break_line();
    CHECK(nlohmann::json::parse(out) == nlohmann::json({1, 2}));
    CHECK(std::count(out.begin(), out.end(), '\n') == 2);
}

TEST_CASE("JSON strings escape what RFC 8259 wants escaped") {
    CHECK(json_string("plain") == "\"plain\"");
    CHECK(json_string("a\"b\\c") == R"("a\"b\\c")");
    CHECK(json_string("a\nb\tc\x01") == R"("a\nb\tc\u0001")");
    CHECK(json_string("\x7f") == R"("\u007f")");
    CHECK(json_string("gr\xc3\xbc\xc3\x9f") == "\"gr\xc3\xbc\xc3\x9f\"");
}

TEST_CASE("Bytes that are not UTF-8 stay visible in JSON and are never dropped") {
    // 0xb0 alone, an overlong slash, a surrogate, a sequence that ends early.
    for (const char* text : {"30\260C", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xff\xfe"}) {
        const std::string out = json_string(text);
        CAPTURE(out);
        CHECK(nlohmann::json::accept(out));
        CHECK(out.find("\\\\x") != std::string::npos);
    }
    CHECK(json_string("30\260C") == R"("30\\xb0C")"); // 0260 is 0xb0
}

TEST_CASE("Every byte pair makes a string that parses") {
    for (unsigned first = 0; first < 256; ++first) {
        for (unsigned second = 0; second < 256; ++second) {
            const std::string text{static_cast<char>(first), static_cast<char>(second)};
            if (!nlohmann::json::accept(json_string(text))) {
                FAIL("bytes " << first << " " << second);
            }
        }
    }
}

TEST_CASE("Hex keeps its digits") {
    std::string out;
    append_hex(out, 0x105867000, 4);
    CHECK(out == "0x105867000");
    out.clear();
    append_hex(out, 0xfedcba9876543211, 16);
    CHECK(out == "0xfedcba9876543211");
    out.clear();
    append_hex(out, 0);
    CHECK(out == "0x0");
    CHECK(hex_length(0) == 1);
    CHECK(hex_length(0xffffffffffffffff) == 16);
}

TEST_CASE("Sizes are exact, in the largest unit that divides them") {
    const auto text = [](std::uint64_t bytes) {
        std::string out;
        append_size(out, bytes);
        return out;
    };
    CHECK(text(0) == "0 bytes");
    CHECK(text(1) == "1 byte");
    CHECK(text(128) == "128 bytes");
    CHECK(text(0x10000) == "64 KiB");
    CHECK(text(0x180000) == "1536 KiB");
    CHECK(text(std::uint64_t{64} << 30) == "64 GiB");
}

TEST_CASE("Durations") {
    const auto text = [](std::uint64_t nanoseconds) {
        std::string out;
        append_duration(out, nanoseconds);
        return out;
    };
    CHECK(text(812) == "812 ns");
    CHECK(text(3412) == "3.4 us");
    CHECK(text(23'000'000) == "23 ms");
    CHECK(text(61'000'000'000) == "61 s");
}

TEST_CASE("Tables align by columns, not by bytes, and end no line in blanks") {
    Table table({"A", "B"});
    table.add({{"\xc3\xbc"}, {"x"}});
    table.add({{"abc"}, {""}}, "note");
    std::string out;
    table.append(out, Style(false));
    CHECK(out == "A    B\n\xc3\xbc    x\nabc\n    note\n");
}
