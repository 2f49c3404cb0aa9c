#include <fmt/format.h>

#include "loader_parts.h"

namespace barscope::regmaps {

namespace {

constexpr ObjectShape head_shape = {"a map",
                                    {Key::schema, Key::format_version, Key::name, Key::title, Key::version,
                                     Key::description, Key::sources, Key::match, Key::include, Key::spaces,
                                     Key::enums, Key::blocks, Key::registers, Key::structures, Key::derived,
                                     Key::checks, Key::logs, Key::counters, Key::driver_dumps},
                                    {Key::format_version, Key::name, Key::title, Key::version, Key::sources}};

constexpr ObjectShape rule_shape = {
    "a match rule",
    {Key::vendor, Key::device, Key::subsystem_vendor, Key::subsystem_device, Key::class_, Key::revision},
    {}};

constexpr ObjectShape mask_shape = {"a mask", {Key::mask, Key::value}, {Key::mask, Key::value}};

struct MatchKind {
    Key key;
    MatchKey match;
    unsigned bits;
    std::uint32_t specificity; // of an exact value, in halves
};

constexpr MatchKind match_kinds[] = {
    {Key::device, MatchKey::device, 16, 64},
    {Key::subsystem_device, MatchKey::subsystem_device, 16, 32},
    {Key::subsystem_vendor, MatchKey::subsystem_vendor, 16, 16},
    {Key::vendor, MatchKey::vendor, 16, 8},
    {Key::revision, MatchKey::revision, 8, 4},
    {Key::class_, MatchKey::class_code, 24, 2},
};

const MatchKind& kind_of(Key key) {
    for (const MatchKind& kind : match_kinds) {
        if (kind.key == key) {
            return kind;
        }
    }
    return match_kinds[0];
}

// As `name`, or in `include`.
bool check_map_name(Reader& reader, NodeIndex node) {
    std::string_view name;
    if (!reader.string(node, name)) {
        return false;
    }
    bool ok = !name.empty();
    for (const char c : name) {
        ok = ok && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
    }
    return ok || reader.fail(node, fmt::format("\"{}\" cannot be a map's name", name),
                             "use lower case letters, digits and dashes");
}

bool check_format_version(Reader& reader, NodeIndex node) {
    std::uint64_t version = 0;
    if (!reader.number(node, UINT64_MAX, version)) {
        return false;
    }
    return version == 1 ||
           reader.fail(node, fmt::format("the format's version is {}; this program knows 1", version),
                       "use a program that knows it, or rewrite the map");
}

bool load_text_list(Reader& reader, NodeIndex node, std::string_view what, bool own, std::vector<Text>& out) {
    std::vector<Text> texts;
    const bool ok = reader.list(node, what, [&](NodeIndex element) {
        texts.emplace_back();
        return reader.text(element, texts.back());
    });
    if (own) {
        out = std::move(texts);
    }
    return ok;
}

bool load_match_value(Reader& reader, NodeIndex node, unsigned bits, MatchTerm& term) {
    MatchValue value;
    value.mask = static_cast<std::uint32_t>(mask_of(bits));
    if (reader.tape.kind(node) == NodeKind::object) {
        term.masked = true;
        const bool ok = reader.object(node, mask_shape, [&](Key key, NodeIndex member) {
            return reader.number_into(member, mask_of(bits), key == Key::mask ? value.mask : value.value);
        });
        if (!ok) {
            return false;
        }
        if ((value.value & ~value.mask) != 0) {
            return reader.fail(node, "the value has bits outside of the mask, so nothing matches",
                               "correct the mask");
        }
    } else if (!reader.number_into(node, mask_of(bits), value.value)) {
        return false;
    }
    reader.tables.match_values.push_back(value);
    ++term.values.count;
    return true;
}

bool load_term(Reader& reader, Key key, NodeIndex node, MatchRule& rule) {
    const MatchKind& kind = kind_of(key);
    MatchTerm term;
    term.key = kind.match;
    term.values.begin = static_cast<Index>(reader.tables.match_values.size());
    bool ok = true;
    if (reader.tape.kind(node) == NodeKind::array) {
        ok = reader.list(node, "a list of numbers", [&](NodeIndex element) {
            return reader.tape.kind(element) == NodeKind::object
                       ? reader.fail(element, "a mask cannot stand in a list", "write one rule for each mask")
                       : load_match_value(reader, element, kind.bits, term);
        });
        ok = ok &&
             (term.values.count > 0 || reader.fail(node, "an empty list matches nothing", "name a value"));
    } else {
        ok = load_match_value(reader, node, kind.bits, term);
    }
    reader.tables.match_terms.push_back(term);
    ++rule.terms.count;
    rule.specificity += term.masked ? kind.specificity / 2 : kind.specificity;
    return ok;
}

} // namespace

bool load_match_rules(Reader& reader, NodeIndex list) {
    return reader.list(list, "\"match\"", [&](NodeIndex node) {
        MatchRule rule;
        rule.terms.begin = static_cast<Index>(reader.tables.match_terms.size());
        const bool ok = reader.object(
            node, rule_shape, [&](Key key, NodeIndex value) { return load_term(reader, key, value, rule); });
        reader.tables.match_rules.push_back(rule);
        return ok;
    });
}

bool load_head(Reader& reader, bool own, std::vector<NodeIndex>& includes) {
    LoadedDocument& document = reader.state.documents[reader.document];
    Tables& tables = reader.tables;
    const auto own_text = [&](NodeIndex node, Text& out) {
        Text text;
        const bool ok = reader.text(node, text);
        out = own ? text : out;
        return ok;
    };
    NodeIndex match = no_node;
    NodeIndex include = no_node;
    const bool ok = reader.object(0, head_shape, [&](Key key, NodeIndex node) {
        switch (key) {
        case Key::format_version:
            return check_format_version(reader, node);
        case Key::name:
            return check_map_name(reader, node) && own_text(node, tables.name);
        case Key::title:
            return own_text(node, tables.title);
        case Key::version:
            return own_text(node, tables.version);
        case Key::description:
            return own_text(node, tables.description);
        case Key::sources:
            return load_text_list(reader, node, "\"sources\"", own, tables.sources) &&
                   (reader.tape.behind(node) != node + 1 ||
                    reader.fail(node, "no source is named",
                                "name the public documents that the facts come from"));
        case Key::match:
            match = node;
            return true;
        case Key::include:
            include = node;
            return load_text_list(reader, node, "\"include\"", own, tables.includes);
        case Key::spaces:
            document.spaces = node;
            return true;
        case Key::enums:
            document.enums = node;
            return true;
        case Key::blocks:
            document.blocks = node;
            return true;
        case Key::registers:
            document.registers = node;
            return true;
        case Key::structures:
            document.structures = node;
            return true;
        case Key::derived:
            document.derived = node;
            return true;
        case Key::checks:
            document.checks = node;
            return true;
        case Key::logs:
            document.logs = node;
            return true;
        case Key::counters:
            document.counters = node;
            return true;
        case Key::driver_dumps:
            document.driver_dumps = node;
            return true;
        default: { // $schema
            std::string_view ignored;
            return reader.string(node, ignored);
        }
        }
    });
    if (!ok || (own && match != no_node && !load_match_rules(reader, match))) {
        return false;
    }
    if (include != no_node) {
        for (const Children::Item item : Children(reader.tape, include)) {
            if (!check_map_name(reader, item.node)) {
                return false;
            }
            includes.push_back(item.node);
        }
    }
    return true;
}

} // namespace barscope::regmaps
