// Maps for the loader's tests. In a bad map the place where the error belongs is marked with @@, so that the
// expected line and column are counted by this file and not by the loader.
#pragma once

#include <catch2/catch.hpp>

#include <map>
#include <string>

#include <fmt/format.h>

#include <regmaps/loader.h>

namespace barscope::regmaps::test {

inline const std::string map_head =
    R"({"formatVersion": 1, "name": "test", "title": "Test", "version": "1.0", "sources": ["none"],)";
inline const std::string bar0 =
    R"("spaces": [{"name": "bar0", "bar": 0, "size": "0x1000", "accessWidth": [8, 16, 32, 64]}])";

// A whole map from its lists; `body` begins on the second line.
inline std::string map_text(const std::string& body) {
    return map_head + "\n" + body + "\n}";
}
// The same with one space "bar0" of 4096 bytes that takes loads of every width.
inline std::string bar_map(const std::string& body) {
    return map_text(bar0 + ",\n" + body);
}

using Texts = std::map<std::string, std::string>; // maps that can be included, by name

inline IncludeResolver resolver(const Texts& texts) {
    return [&texts](std::string_view name) -> Result<MapText> {
        const auto found = texts.find(std::string(name));
        if (found == texts.end()) {
            return fail({ErrorCode::bad_input, "map-unknown", "there is no such map", {}, {}});
        }
        return MapText{found->second, found->first + ".json"};
    };
}

inline Result<RegisterMap> load_text(const std::string& text, const Texts& included = {}) {
    return load_map(text, "test.json", resolver(included));
}

inline RegisterMap must_load(const std::string& text, const Texts& included = {}) {
    Result<RegisterMap> map = load_text(text, included);
    INFO(text);
    INFO((map ? std::string() : to_string(map.error())));
    REQUIRE(map.has_value());
    return std::move(*map);
}

// Takes the mark out of a text and says where it was.
inline std::string take_mark(std::string& text, const std::string& pointer, const std::string& origin) {
    const std::size_t mark = text.find("@@");
    REQUIRE(mark != std::string::npos);
    text.erase(mark, 2);
    REQUIRE(text.find("@@") == std::string::npos);
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i < mark; ++i) {
        const bool newline = text[i] == '\n';
        line += newline ? 1 : 0;
        const bool continues = (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; // of a UTF-8 sequence
        column = newline ? 1 : column + (continues ? 0 : 1);
    }
    return fmt::format("{}: {}, line {}, column {}", origin, pointer, line, column);
}

// The error of a map that must not load: where it is, and that it says what it should.
inline void check_bad(std::string text, const std::string& pointer, const std::string& says,
                      const std::string& cause = "map-rule", const Texts& included = {}) {
    const std::string where = take_mark(text, pointer, "test.json");
    const Result<RegisterMap> map = load_text(text, included);
    INFO(text);
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().code == ErrorCode::bad_input);
    CHECK(map.error().where == where);
    CHECK_THAT(map.error().what, Catch::Contains(says));
    CHECK(map.error().cause == cause);
    CHECK_FALSE(map.error().remedy.empty());
}

inline std::string_view name_of(const RegisterMap& map, const Register& reg) {
    return map.text(reg.name);
}

inline const Register& reg_called(const RegisterMap& map, std::string_view name) {
    for (const Register& reg : map.registers) {
        if (map.text(reg.name) == name) {
            return reg;
        }
    }
    FAIL("no register " << name);
    return map.registers[0];
}

inline const Field& field_called(const RegisterMap& map, std::string_view reg, std::string_view name) {
    const Range fields = reg_called(map, reg).fields;
    for (const Field& field : map.fields.subspan(fields.begin, fields.count)) {
        if (map.text(field.name) == name) {
            return field;
        }
    }
    FAIL("no field " << reg << "." << name);
    return map.fields[0];
}

// The value of an expression that must be constant.
inline std::uint64_t constant(const RegisterMap& map, Index expression) {
    REQUIRE(expression != none);
    const Range code = map.expressions[expression].code;
    REQUIRE(code.count == 1);
    REQUIRE(map.codes[code.begin].op == Op::push);
    return map.codes[code.begin].imm;
}

} // namespace barscope::regmaps::test
