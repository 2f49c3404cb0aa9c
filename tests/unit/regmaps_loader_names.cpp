// Globs, and what people may have meant.
#include <catch2/catch.hpp>

#include <random>

#include <regmaps/names.h>

using namespace barscope::regmaps;

namespace {

// The obvious way, exponential.
bool slow_match(std::string_view p, std::string_view t) {
    if (p.empty()) {
        return t.empty();
    }
    if (p[0] == '*') {
        return slow_match(p.substr(1), t) || (!t.empty() && slow_match(p, t.substr(1)));
    }
    return !t.empty() && (p[0] == '?' || p[0] == t[0]) && slow_match(p.substr(1), t.substr(1));
}

std::vector<std::string> closest(std::string_view query, std::vector<std::string_view> names) {
    return closest_names(query, names);
}

} // namespace

TEST_CASE("globs") {
    CHECK(glob_match("SQ*", "SQTDBL"));
    CHECK(glob_match("*DBL", "SQTDBL"));
    CHECK(glob_match("S?T*L", "SQTDBL"));
    CHECK(glob_match("*", ""));
    CHECK(glob_match("", ""));
    CHECK_FALSE(glob_match("", "A"));
    CHECK_FALSE(glob_match("?", ""));
    CHECK_FALSE(glob_match("sq*", "SQTDBL"));
    // Brackets are part of names.
    CHECK(glob_match("BLOCK[2].*", "BLOCK[2].NAME[3]"));
    CHECK_FALSE(glob_match("BLOCK[12].*", "BLOCK[2].NAME"));
    CHECK(is_glob("A*"));
    CHECK(is_glob("A?"));
    CHECK_FALSE(is_glob("A[1]"));
}

TEST_CASE("globs match what an obvious matcher matches") {
    std::mt19937 random(5);
    for (int round = 0; round < 20000; ++round) {
        std::string pattern;
        std::string text;
        for (std::size_t n = random() % 6; n > 0; --n) {
            pattern += "ab*?"[random() % 4];
        }
        for (std::size_t n = random() % 7; n > 0; --n) {
            text += "ab"[random() % 2];
        }
        INFO(pattern << " " << text);
        CHECK(glob_match(pattern, text) == slow_match(pattern, text));
    }
}

TEST_CASE("a glob of many stars does not take for ever") {
    std::string pattern;
    for (int i = 0; i < 1000; ++i) {
        pattern += "*a";
    }
    CHECK_FALSE(glob_match(pattern + "b", std::string(20000, 'a')));
}

TEST_CASE("typing errors find what was meant") {
    CHECK(closest("FW_STAUS", {"FW_VERSION", "FW_STATUS", "CTRL"}) == std::vector<std::string>{"FW_STATUS"});
    CHECK(closest("ctrl", {"STATUS", "CTRL", "CTRL_EXT"}).front() == "CTRL");
    CHECK(closest("CSTSS", {"CSTS", "CC", "CAP"}) == std::vector<std::string>{"CSTS"});
    CHECK(closest("widht", {"width", "with", "index"}).front() == "width");
    CHECK(closest("nvem", {"nvme", "igb", "pcie"}) == std::vector<std::string>{"nvme"});
    // The beginning of longer names, behind what is nearer.
    CHECK(closest("CTR", {"CTRL_EXTENDED", "CTRL"}) == std::vector<std::string>{"CTRL", "CTRL_EXTENDED"});
    CHECK(closest("XYZZY", {"CTRL", "STATUS"}).empty());
    CHECK(closest("", {"CTRL"}).empty());
    CHECK(closest("A", {"B", "C"}).empty());
    CHECK(closest("CTRX", {"CTRA", "CTRA", "CTRB", "CTRC", "CTRD"}) ==
          std::vector<std::string>{"CTRA", "CTRB", "CTRC"});
    CHECK(closest(std::string(500, 'A'), {"A"}).empty());
    CHECK(
        closest("CTRL", {std::string_view(
                            "CTRL_THAT_IS_MUCH_TOO_LONG_TO_BE_WHAT_ANYBODY_MEANT_BY_THIS_ONE_AND_ONLY_ONE")})
            .size() == 1);
}

TEST_CASE("suggestions in a sentence") {
    const std::vector<std::string_view> names = {"CTRA", "CTRB", "CTRC"};
    CHECK(did_you_mean("CTRX", names) == "did you mean CTRA, CTRB or CTRC?");
    CHECK(did_you_mean("CTRX", std::span(names).first(2)) == "did you mean CTRA or CTRB?");
    CHECK(did_you_mean("CTRX", std::span(names).first(1)) == "did you mean CTRA?");
    CHECK(did_you_mean("nothing", names).empty());
}
