// The scanner against nlohmann's parser: the same documents are accepted, and the tape holds the same values.
#include <catch2/catch.hpp>

#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

#include "json_scanner.h"

using namespace barscope::regmaps;

namespace {

// What nlohmann accepts too but the format refuses on purpose.
bool refused_on_purpose(const std::string& what) {
    return what.find("stands here twice") != std::string::npos ||
           what.find("control character") != std::string::npos ||
           what.find("is not seen") != std::string::npos || what.find("nested deeper") != std::string::npos ||
           what.find("double cannot hold") != std::string::npos;
}

nlohmann::json tree(const Tape& tape, NodeIndex node) {
    nlohmann::json out;
    switch (tape.kind(node)) {
    case NodeKind::object:
        out = nlohmann::json::object();
        for (const Children::Item item : Children(tape, node)) {
            out[std::string(tape.key_text(item.node))] = tree(tape, item.node);
        }
        return out;
    case NodeKind::array:
        out = nlohmann::json::array();
        for (const Children::Item item : Children(tape, node)) {
            out.push_back(tree(tape, item.node));
        }
        return out;
    case NodeKind::string:
        return std::string(tape.string(node));
    case NodeKind::integer:
        return tape[node].payload;
    case NodeKind::number:
        return nlohmann::json::parse(tape.number_text(node));
    case NodeKind::true_:
        return true;
    case NodeKind::false_:
        return false;
    default:
        return nullptr;
    }
}

void compare(const std::string& text) {
    INFO(text.substr(0, 400));
    const nlohmann::json theirs = nlohmann::json::parse(text, nullptr, false);
    const auto ours = scan_json(text, "t");
    if (!ours) {
        INFO(ours.error().what);
        CHECK((theirs.is_discarded() || refused_on_purpose(ours.error().what)));
        return;
    }
    REQUIRE_FALSE(theirs.is_discarded());
    CHECK(tree(*ours, 0) == theirs);
}

} // namespace

TEST_CASE("small documents are read as nlohmann reads them") {
    for (const char* text : {"",
                             " ",
                             "null",
                             "true",
                             "false",
                             "tru",
                             "nulll",
                             "0",
                             "-0",
                             "-",
                             "01",
                             "1.5",
                             "1.",
                             ".5",
                             "1e5",
                             "1E+5",
                             "1e-5",
                             "1e",
                             "1e+",
                             "-1",
                             "--1",
                             "+1",
                             "18446744073709551615",
                             "18446744073709551616",
                             "-9223372036854775808",
                             "123456789012345678901234567890",
                             "\"\"",
                             "\"a",
                             "a\"",
                             "\"\\\"\"",
                             "\"\\\\\"",
                             "\"\\q\"",
                             "\"\\u00e9\"",
                             "\"\\ud83d\\ude00\"",
                             "\"\\ud83d\"",
                             "\"\\ud83d\\n\"",
                             "\"\xc3\xa9\"",
                             "\"\xff\"",
                             "[]",
                             "[ ]",
                             "[,]",
                             "[1,]",
                             "[1 2]",
                             "[1,2]",
                             "[[],[[]]]",
                             "[",
                             "]",
                             "{}",
                             "{ }",
                             "{,}",
                             "{\"a\":1}",
                             "{\"a\" : 1 , \"b\":[]}",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{a:1}",
                             "{\"a\":1,}",
                             "{\"a\":1 \"b\":2}",
                             "{\"name\":1,\"x\":{\"name\":2}}",
                             "\t\r\n[\n1\r]\t",
                             "[1]x",
                             "[1] []",
                             "/*c*/1",
                             "[1]//c",
                             "'a'",
                             "\xef\xbb\xbf[1]",
                             "\xef\xbb[1]",
                             "\"\x01\"",
                             "nan",
                             "[NaN]",
                             "{\"a\":{\"b\":{\"c\":[true,false,null,1,2.5,\"x\"]}}}",
                             "{\"\":1}",
                             "{\"\\u006eame\": 1}"}) {
        compare(text);
    }
}

TEST_CASE("damaged documents are accepted exactly where nlohmann accepts them") {
    const std::string seed =
        R"({"formatVersion": 1, "name": "a-b", "enums": {"E": {"0x1": {"name": "X\n\u00e9", "severity": "ok"}}},
           "registers": [{"name": "R", "offset": 4096, "scale": -1.5e-3, "alternate": true, "x-1": [null, false, {}]}]})";
    std::mt19937 random(1);
    const std::string alphabet = "{}[],:\"\\ u0129aeE+-.tfn\x01\x7f\x80\xc3\xa9\xff\n";
    for (int round = 0; round < 20000; ++round) {
        std::string text = seed;
        for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            const char c = alphabet[random() % alphabet.size()];
            switch (random() % 3) {
            case 0:
                text[at] = c;
                break;
            case 1:
                text.insert(at, 1, c);
                break;
            default:
                text.erase(at, 1 + random() % 4);
                break;
            }
        }
        compare(text);
    }
}

TEST_CASE("texts of every length around a machine word end where they end") {
    for (std::size_t size = 0; size < 40; ++size) {
        for (const char* special : {"", "\xc3\xa9", "\\n", "\\\""}) {
            for (std::size_t at = 0; at <= size; ++at) {
                std::string inner(size, 'x');
                inner.insert(at, special);
                compare("[\"" + inner + "\",\"" + inner + "\"]");
            }
        }
    }
}

TEST_CASE("pointers follow RFC 6901 and keys know where they stand") {
    const std::string text = "{\"a/b\": {\"m~n\": [10, {\"name\" : 7}]},\n  \"\\u006eame\": 1}";
    const auto tape = scan_json(text, "f.json");
    REQUIRE(tape.has_value());
    bool found_seven = false;
    for (NodeIndex i = 0; i < tape->nodes.size(); ++i) {
        if (tape->kind(i) == NodeKind::integer && (*tape)[i].payload == 7) {
            found_seven = true;
            CHECK(tape->pointer(i) == "/a~1b/m~0n/1/name");
            CHECK(text.substr(tape->key_start(i), 6) == "\"name\"");
        }
        if (tape->kind(i) == NodeKind::integer && (*tape)[i].payload == 1) {
            CHECK(tape->pointer(i) == "/name");
            CHECK(text.substr(tape->key_start(i), 3) == "\"\\u");
            CHECK(tape->describe(tape->pointer(i), (*tape)[i].start) == "f.json: /name, line 2, column 16");
        }
    }
    CHECK(found_seven);
}

TEST_CASE("every key of the format is found, and nothing else, whatever stands behind it") {
    const auto find = [](const std::string& text, const std::string& behind) {
        const std::string memory = text + behind;
        return find_key(std::string_view(memory).substr(0, text.size()), memory.data() + memory.size());
    };
    for (const char* const behind :
         {"", "\"", "\": 1}", "x and much more", "\xff\xff\xff\xff\xff\xff\xff\xff"}) {
        for (std::size_t i = 0; i < key_count; ++i) {
            const std::string text(key_texts[i]);
            CHECK(find(text, behind) == static_cast<Key>(i));
            CHECK(find(text + "x", behind) == Key::other);
            for (std::size_t at = 0; at < text.size(); ++at) {
                std::string other = text;
                other[at] = '#';
                CHECK(find(other, behind) == Key::other);
            }
        }
        CHECK(find("", behind) == Key::other);
        CHECK(find("Name", behind) == Key::other);
    }
}

TEST_CASE("the keys of the schema are the keys of the format") {
    std::ifstream file(BARSCOPE_SOURCE_DIR "/regmaps/schema/regmap.schema.json");
    const nlohmann::json schema = nlohmann::json::parse(file);
    std::set<std::string> keys;
    const std::function<void(const nlohmann::json&)> collect = [&](const nlohmann::json& node) {
        if (node.is_object() && node.contains("properties")) {
            for (const auto& [key, value] : node["properties"].items()) {
                keys.insert(key);
            }
        }
        for (const auto& [key, value] : node.items()) {
            if (value.is_structured()) {
                collect(value);
            }
        }
    };
    collect(schema);
    CHECK(keys == std::set<std::string>(key_texts.begin(), key_texts.end()));
}
