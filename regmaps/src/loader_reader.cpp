#include "loader_reader.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <regmaps/names.h>

#include "expression_parser_number.h"

namespace barscope::regmaps {

std::string name_remedy(std::string_view name, std::span<const std::string_view> names) {
    std::string close = did_you_mean(name, names);
    return close.empty() ? "use a name that the map has" : close;
}

std::string_view kind_name(NodeKind kind) {
    switch (kind) {
    case NodeKind::object:
        return "an object";
    case NodeKind::array:
        return "a list";
    case NodeKind::string:
        return "a text";
    case NodeKind::integer:
    case NodeKind::number:
        return "a number";
    case NodeKind::true_:
    case NodeKind::false_:
        return "true or false";
    default:
        return "null";
    }
}

std::string Reader::step(NodeIndex node) const {
    return tape[node].key == Key::element ? "this" : fmt::format("\"{}\"", tape.key_text(node));
}

bool Reader::wrong_type(NodeIndex node, std::string_view what, std::string_view type) {
    return fail(node, fmt::format("{} must be {}, not {}", what, type, kind_name(tape.kind(node))),
                "see docs/regmap-format.md for what stands here");
}

bool Reader::wrong_word(NodeIndex node, std::string_view given, const std::string& allowed) {
    return fail(node, fmt::format("{} cannot be \"{}\"", step(node), given),
                fmt::format("use one of {}", allowed));
}

bool Reader::check_unknown_key(NodeIndex value, const ObjectShape& shape) {
    const std::string_view key = tape.key_text(value);
    if (key.starts_with("x-")) {
        return true;
    }
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < key_count; ++i) {
        if (shape.keys.has(static_cast<Key>(i))) {
            known.push_back(key_texts[i]);
        }
    }
    std::string remedy = did_you_mean(key, known);
    if (remedy.empty()) {
        remedy = "remove it, or begin its name with x-";
    }
    return state.fail_at(place(value), tape.key_start(value),
                         fmt::format("{} has no key \"{}\"", shape.what, key), std::move(remedy),
                         "map-unknown-key");
}

bool Reader::missing_key(NodeIndex node, const ObjectShape& shape, const KeySet& seen) {
    std::string_view missing;
    for (std::size_t i = 0; i < key_count && missing.empty(); ++i) {
        if (shape.required.has(static_cast<Key>(i)) && !seen.has(static_cast<Key>(i))) {
            missing = key_texts[i];
        }
    }
    return fail(node, fmt::format("{} needs \"{}\"", shape.what, missing),
                fmt::format("add \"{}\"", missing));
}

bool Reader::checked_number(NodeIndex node, std::string_view given, std::uint64_t most, std::uint64_t& out) {
    const NumberProblem problem = parse_number(given, out);
    if (problem != NumberProblem::fine) {
        return fail(node, fmt::format("{}: \"{}\" {}", step(node), given, describe(problem)),
                    "write a number such as 16, \"0x10\" or \"0b10000\"");
    }
    return out <= most ||
           fail(node, fmt::format("{} is {}; it can be at most {:#x}", step(node), given, most),
                "correct the number");
}

bool Reader::number(NodeIndex node, std::uint64_t most, std::uint64_t& out) {
    const Node& n = tape[node];
    if (n.kind == NodeKind::integer && n.payload <= most) {
        out = n.payload;
        return true;
    }
    switch (n.kind) {
    case NodeKind::string:
        return checked_number(node, tape.string(node), most, out);
    case NodeKind::integer:
        return checked_number(node, tape.number_text(node), most, out);
    case NodeKind::number: {
        const std::string_view given = tape.number_text(node);
        const std::string_view problem = given.find_first_of(".eE") != std::string_view::npos
                                             ? "a whole number without a fraction or exponent is needed here"
                                         : given[0] == '-' ? "a negative number cannot stand here"
                                                           : "the number does not fit 64 bits";
        return fail(node, fmt::format("{} is {}; {}", step(node), given, problem), "correct the number");
    }
    default:
        return wrong_type(node, step(node), "a number");
    }
}

bool Reader::key_number(NodeIndex value, std::uint64_t most, std::uint64_t& out) {
    const std::string_view key = tape.key_text(value);
    const NumberProblem problem = parse_number(key, out);
    if (problem != NumberProblem::fine) {
        return state.fail_at(place(value), tape.key_start(value),
                             fmt::format("the key \"{}\" {}", key, describe(problem)),
                             "write the value as the key: \"16\", \"0x10\" or \"0b10000\"", "map-rule");
    }
    return out <= most ||
           state.fail_at(place(value), tape.key_start(value),
                         fmt::format("the value {} does not fit: at most {:#x} does", key, most),
                         "correct the value", "map-value-does-not-fit");
}

bool Reader::real(NodeIndex node, double& out) {
    if (tape.kind(node) != NodeKind::integer && tape.kind(node) != NodeKind::number) {
        return wrong_type(node, step(node), "a JSON number");
    }
    const std::string_view given = tape.number_text(node);
    const std::from_chars_result result = std::from_chars(given.data(), given.data() + given.size(), out);
    if (result.ec != std::errc{} || !std::isfinite(out)) {
        return fail(node, fmt::format("{}: {} is beyond what a double holds", step(node), given),
                    "correct the number");
    }
    return true;
}

bool Reader::boolean(NodeIndex node, bool& out) {
    const NodeKind kind = tape.kind(node);
    out = kind == NodeKind::true_;
    return kind == NodeKind::true_ || kind == NodeKind::false_ ||
           wrong_type(node, step(node), "true or false");
}

bool Reader::string(NodeIndex node, std::string_view& out) {
    if (tape.kind(node) != NodeKind::string) {
        return wrong_type(node, step(node), "a text");
    }
    out = tape.string(node);
    return true;
}

bool Reader::text(NodeIndex node, Text& out) {
    std::string_view given;
    if (!string(node, given)) {
        return false;
    }
    out = tables.add_text(given);
    return true;
}

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

} // namespace

bool Reader::check_dashed_name(std::string_view given, Place at) {
    bool ok = !given.empty();
    for (const char c : given) {
        ok = ok && (is_letter(c) || is_digit(c) || c == '-');
    }
    return ok ||
           state.fail(at, fmt::format("\"{}\" cannot be a name", given), "use letters, digits, _ and -");
}

bool Reader::check_name(std::string_view given, Place at, bool may_begin_with_digit) {
    bool ok = !given.empty() && (may_begin_with_digit || !is_digit(given[0]));
    for (const char c : given) {
        ok = ok && (is_letter(c) || is_digit(c));
    }
    return ok ||
           state.fail(at, fmt::format("\"{}\" cannot be a name", given),
                      may_begin_with_digit ? "use letters, digits and _"
                                           : "use letters, digits and _, and do not begin with a digit");
}

bool Reader::name(NodeIndex node, Text& out, bool may_begin_with_digit) {
    std::string_view given;
    if (!string(node, given) || !check_name(given, place(node), may_begin_with_digit)) {
        return false;
    }
    out = tables.add_text(given);
    return true;
}

bool Reader::texts(NodeIndex node, std::string_view what, Range& out) {
    out = {static_cast<Index>(tables.text_list.size()), 0};
    const auto add = [&](NodeIndex element) {
        Text given;
        if (!text(element, given)) {
            return false;
        }
        if (given.size == 0) {
            return fail(element, fmt::format("{} cannot be empty", what), "remove it or fill it in");
        }
        tables.text_list.push_back(given);
        ++out.count;
        return true;
    };
    return tape.kind(node) == NodeKind::array ? list(node, what, add) : add(node);
}

bool Reader::width(NodeIndex node, std::uint8_t& out) {
    std::uint64_t value = 0;
    if (!number(node, UINT64_MAX, value)) {
        return false;
    }
    out = static_cast<std::uint8_t>(value);
    return value == 8 || value == 16 || value == 32 || value == 64 ||
           fail(node, fmt::format("{} is {} bits", step(node), value), "use 8, 16, 32 or 64");
}

bool Reader::expression(NodeIndex node, const ExpressionScope& scope, Index& out) {
    Code constant;
    bool is_constant = true;
    std::string_view source;
    if (tape.kind(node) == NodeKind::string) {
        source = tape.string(node);
        is_constant = parse_number(source, constant.imm) == NumberProblem::fine;
    } else {
        if (!number(node, UINT64_MAX, constant.imm)) {
            return false;
        }
        source = tape.number_text(node);
    }
    out = static_cast<Index>(tables.expressions.size());
    tables.expressions.push_back(
        {{static_cast<Index>(tables.codes.size()), is_constant ? 1U : 0U}, tables.add_text(source)});
    state.expression_places.push_back(place(node));
    if (is_constant) {
        tables.codes.push_back(constant);
    } else {
        state.pending.push_back({out, place(node), scope});
    }
    return true;
}

} // namespace barscope::regmaps
