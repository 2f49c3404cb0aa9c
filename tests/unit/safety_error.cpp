#include <catch2/catch.hpp>

#include <safety/error.h>

using barscope::Error;
using barscope::ErrorCode;

TEST_CASE("exit statuses are those of docs/cli.md") {
    CHECK(barscope::exit_status(ErrorCode::usage) == 2);
    CHECK(barscope::exit_status(ErrorCode::refused) == 3);
    CHECK(barscope::exit_status(ErrorCode::absent) == 4);
    CHECK(barscope::exit_status(ErrorCode::permission) == 5);
    CHECK(barscope::exit_status(ErrorCode::bad_input) == 6);
    CHECK(barscope::exit_status(ErrorCode::output) == 7);
}

TEST_CASE("an error is one line with its parts in order") {
    CHECK(to_string(Error{ErrorCode::refused, "c", "it failed", "/sys/x", "do this"}) ==
          "it failed (/sys/x); do this");
    CHECK(to_string(Error{ErrorCode::refused, "c", "it failed", "", ""}) == "it failed");
    CHECK(to_string(Error{ErrorCode::refused, "c", "it failed", "", "do this"}) == "it failed; do this");
}

TEST_CASE("text from outside cannot disturb the line") {
    CHECK(barscope::escaped("a\nb\tc\x1b[31m\x7f") == "a\\x0ab\\x09c\\x1b[31m\\x7f");
    CHECK(barscope::escaped("30\xb0"
                            "C") == "30\\xb0C");
    CHECK(barscope::escaped("K\xc3\xb6ln \xe2\x82\xac \xf0\x9f\x94\xa7") ==
          "K\xc3\xb6ln \xe2\x82\xac \xf0\x9f\x94\xa7");
    CHECK(barscope::escaped(std::string_view("a\0b", 3)) == "a\\x00b");
    SECTION("UTF-8 that RFC 3629 does not allow") {
        CHECK(barscope::escaped("\xc0\xaf") == "\\xc0\\xaf");                   // overlong
        CHECK(barscope::escaped("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");          // overlong
        CHECK(barscope::escaped("\xed\xa0\x80") == "\\xed\\xa0\\x80");          // surrogate
        CHECK(barscope::escaped("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // above U+10FFFF
        CHECK(barscope::escaped("\xe2\x82") == "\\xe2\\x82");                   // cut short
        CHECK(barscope::escaped("\xc3(") == "\\xc3(");
    }
    SECTION("C1 controls, line separators and writing direction") {
        CHECK(barscope::escaped("\xc2\x9b"
                                "2J") == "\\xc2\\x9b2J");
        CHECK(barscope::escaped("\xe2\x80\xa8") == "\\xe2\\x80\\xa8");
        CHECK(barscope::escaped("\xe2\x80\xae"
                                "txt") == "\\xe2\\x80\\xaetxt");
        CHECK(barscope::escaped("\xe2\x80\x8e"
                                "a") == "\\xe2\\x80\\x8ea");
        CHECK(barscope::escaped("\xc2\xa0") == "\xc2\xa0"); // a no-break space is seen
    }
}
