// Maps that include others.
#include "regmaps_loader_support.h"

using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::string named(const std::string& name, const std::string& body) {
    return R"({"formatVersion": 1, "name": ")" + name +
           R"(", "title": "", "version": "1", "sources": ["s"],)" + "\n" + body + "\n}";
}
std::string reg(const std::string& name, const std::string& space) {
    return R"("registers": [{"name": ")" + name + R"(", "space": ")" + space +
           R"(", "offset": 0, "readAction": "none"}])";
}
std::string space(const std::string& name) {
    return R"("spaces": [{"name": ")" + name + R"(", "config": true}])";
}

std::vector<std::string> names(const RegisterMap& map, const auto& table) {
    std::vector<std::string> out;
    for (const auto& thing : table) {
        out.emplace_back(map.text(thing.name));
    }
    return out;
}
using Names = std::vector<std::string>;

} // namespace

TEST_CASE("own content comes first, then that of included maps in order, each once") {
    const Texts maps = {{"a", named("a", R"("include": ["c"], )" + space("sa") + "," + reg("A", "sa") +
                                             R"(, "match": [{"vendor": 1}])")},
                        {"b", named("b", R"("include": ["c"], "enums": {"EB": {"0": "X"}}, )" + space("sb") +
                                             "," + reg("B", "sb"))},
                        {"c", named("c", space("sc") + "," + reg("C", "sc"))}};
    const RegisterMap map =
        must_load(map_text(R"("include": ["a", "b"], "match": [{"vendor": 2}], )" + space("own") + "," +
                           reg("OWN", "own") + R"(, "enums": {"E0": {"0": "Y"}})"),
                  maps);
    CHECK(names(map, map.spaces) == Names{"own", "sa", "sc", "sb"});
    CHECK(names(map, map.registers) == Names{"OWN", "A", "C", "B"});
    CHECK(names(map, map.enums) == Names{"E0", "EB"});
    // What the map is called, matches and includes itself is its own only.
    CHECK(map.name == "test");
    CHECK(map.match_rules.size() == 1);
    REQUIRE(map.includes.size() == 2);
    CHECK(map.text(map.includes[1]) == "b");
}

TEST_CASE("included names are visible, and their default space is their own") {
    const Texts maps = {{"a", named("a", space("sa") + R"(, "enums": {"E": {"0": "X"}},
        "registers": [{"name": "A", "offset": 0, "readAction": "none"}],
        "structures": [{"name": "S", "size": 4, "fields": []}])")}};
    const RegisterMap map =
        must_load(bar_map(R"x("include": ["a"], "derived": [{"name": "D", "value": "A + present(sa)"}],
        "registers": [{"name": "OWN", "offset": 0, "readAction": "none", "enum": "E"},
                      {"name": "THERE", "space": "sa", "offset": 4, "readAction": "none"}])x"),
                  maps);
    CHECK(reg_called(map, "A").space == 1);
    CHECK(reg_called(map, "OWN").space == 0);
    CHECK(reg_called(map, "THERE").space == 1);
}

TEST_CASE("names are unique across inclusions, registers apart across them too") {
    const Texts maps = {{"a", named("a", space("sa") + "," + reg("A", "sa"))}};
    // The error is in the included file, at the name that was there second.
    std::string text =
        bar_map(R"("include": ["a"], "registers": [{"name": "A", "offset": 0, "readAction": "none"}])");
    auto map = load_text(text, maps);
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().where == "a.json: /registers/0/name, line 2, column 67");
    CHECK_THAT(map.error().what, Catch::Contains("\"A\" exists already"));
    // An own register over the bytes of an included one.
    text = bar_map(
        R"("include": ["a"], "registers": [{"name": "B", "space": "sa", "offset": 2, "width": 16, "readAction": "none"}])");
    map = load_text(text, maps);
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().cause == "map-registers-overlap");
    CHECK_THAT(map.error().where, Catch::StartsWith("a.json: /registers/0/offset"));
}

TEST_CASE("errors in an included map name its file") {
    const Texts maps = {{"a", named("a", R"("registers": [{"name": "A", "offset": "x"}])")},
                        {"broken", "{\"name\": }"},
                        {"other", named("another", "\"checks\": []")}};
    auto map = load_text(map_text(R"("include": ["a"])"), maps);
    REQUIRE_FALSE(map.has_value());
    CHECK_THAT(map.error().where, Catch::StartsWith("a.json: /registers/0/offset, line 2, column 39"));
    map = load_text(map_text(R"("include": ["broken"])"), maps);
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().where == "broken.json: (document), line 1, column 10");
    map = load_text(map_text(R"("include": ["other"])"), maps);
    REQUIRE_FALSE(map.has_value());
    CHECK_THAT(map.error().what, Catch::Contains("is called \"another\", not \"other\""));
}

TEST_CASE("include cycles and unknown maps are refused where they are named") {
    const Texts maps = {{"a", named("a", R"("include": ["b"])")},
                        {"b", named("b", R"("include": ["a"])")},
                        {"back", named("back", R"("include": ["test"])")}};
    check_bad(map_text(R"("include": [@@"nowhere"])"), "/include/0",
              "cannot include \"nowhere\": there is no such map", "map-include", maps);
    check_bad(map_text(R"("include": [@@"test"])"), "/include/0", "includes itself: test -> test",
              "map-include-cycle", maps);
    auto map = load_text(map_text(R"("include": ["back"])"), maps);
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().cause == "map-include-cycle");
    CHECK(map.error().where == "back.json: /include/0, line 2, column 13");
    CHECK_THAT(map.error().what, Catch::Contains("test -> back -> test"));
    map = load_text(map_text(R"("include": ["a"])"), maps);
    REQUIRE_FALSE(map.has_value());
    CHECK_THAT(map.error().what, Catch::Contains("a -> b -> a"));
}

TEST_CASE("inclusions have a limit") {
    Texts maps;
    for (int i = 0; i < 100; ++i) {
        maps[fmt::format("m{}", i)] =
            named(fmt::format("m{}", i), fmt::format(R"("include": ["m{}"])", i + 1));
    }
    const auto map = load_text(map_text(R"("include": ["m0"])"), maps);
    REQUIRE_FALSE(map.has_value());
    CHECK_THAT(map.error().what, Catch::Contains("more than 64 maps"));
}
