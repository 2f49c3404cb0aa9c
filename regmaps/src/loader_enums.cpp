#include <algorithm>

#include <fmt/format.h>

#include "loader_parts.h"

namespace barscope::regmaps {

namespace {

constexpr ObjectShape value_shape = {
    "an enum's value", {Key::name, Key::severity, Key::description}, {Key::name}};

bool load_value(Reader& reader, NodeIndex node, EnumValue& out) {
    if (!reader.key_number(node, UINT64_MAX, out.value)) {
        return false;
    }
    bool ok = true;
    if (reader.tape.kind(node) == NodeKind::object) {
        ok = reader.object(node, value_shape, [&](Key key, NodeIndex member) {
            switch (key) {
            case Key::name:
                return reader.text(member, out.name);
            case Key::severity:
                return reader.word(member, out.severity);
            default:
                return reader.text(member, out.description);
            }
        });
    } else {
        ok = reader.text(node, out.name);
    }
    return ok && (out.name.size > 0 || reader.fail(node, "an enum's value without a name", "name it"));
}

// How the largest value of an enum that is written in place is reported: at its own key.
bool fail_inline(Reader& reader, NodeIndex object, std::uint64_t mask) {
    for (const Children::Item item : Children(reader.tape, object)) {
        std::uint64_t value = 0;
        if (!reader.key_number(item.node, mask, value)) {
            return false;
        }
    }
    return false;
}

} // namespace

bool load_enum(Reader& reader, NodeIndex object, Text name, Index& out) {
    Tables& tables = reader.tables;
    if (reader.tape.kind(object) != NodeKind::object) {
        return reader.fail(
            object, fmt::format("an enum must be an object, not {}", kind_name(reader.tape.kind(object))),
            "write {\"0\": \"NAME\", ...}");
    }
    auto& values = reader.state.enum_scratch;
    values.clear();
    for (const Children::Item item : Children(reader.tape, object)) {
        if (reader.tape.key_text(item.node).starts_with("x-")) {
            continue;
        }
        values.emplace_back(EnumValue{}, item.node);
        if (!load_value(reader, item.node, values.back().first)) {
            return false;
        }
    }
    if (values.empty()) {
        return reader.fail(object, "an enum without values", "name its values or remove it");
    }
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.first.value < b.first.value; });
    out = static_cast<Index>(tables.enums.size());
    tables.enums.push_back(
        {name, {static_cast<Index>(tables.enum_values.size()), static_cast<std::uint32_t>(values.size())}});
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0 && values[i].first.value == values[i - 1].first.value) {
            const NodeIndex node = values[i].second;
            return reader.state.fail_at(
                reader.place(node), reader.tape.key_start(node),
                fmt::format("the value {:#x} stands here twice", values[i].first.value), "keep one of them",
                "map-duplicate-name");
        }
        tables.enum_values.push_back(values[i].first);
    }
    return true;
}

bool load_enums(Reader& reader, NodeIndex object) {
    if (reader.tape.kind(object) != NodeKind::object) {
        return reader.fail(object, "\"enums\" must be an object", "write {NAME: {VALUE: NAME, ...}, ...}");
    }
    for (const Children::Item item : Children(reader.tape, object)) {
        const std::string_view name = reader.tape.key_text(item.node);
        if (name.starts_with("x-")) {
            continue;
        }
        if (!reader.check_dashed_name(name, reader.place(item.node))) {
            return false;
        }
        const Text text = reader.tables.add_text(name);
        const Symbol symbol{Symbol::Kind::nothing, static_cast<Index>(reader.tables.enums.size())};
        Index index = none;
        if (!reader.state.add_name(scope::enums, text, symbol, reader.place(item.node), "the enum") ||
            !load_enum(reader, item.node, text, index)) {
            return false;
        }
    }
    return true;
}

bool load_enum_use(Reader& reader, NodeIndex node, std::uint64_t mask, Index& out) {
    Tables& tables = reader.tables;
    const bool named = reader.tape.kind(node) == NodeKind::string;
    if (named) {
        const std::string_view name = reader.tape.string(node);
        out = reader.state.symbols.find(scope::enums, name).index;
        if (out == none) {
            return reader.fail(node, fmt::format("there is no enum \"{}\"", name),
                               name_remedy(name, reader.state.symbols.names_in(scope::enums)));
        }
    } else if (!load_enum(reader, node, {}, out)) {
        return false;
    }
    const Range values = tables.enums[out].values;
    const std::uint64_t largest = tables.enum_values[values.begin + values.count - 1].value;
    if (largest <= mask) {
        return true;
    }
    if (!named) {
        return fail_inline(reader, node, mask);
    }
    return reader.state.fail(reader.place(node),
                             fmt::format("the enum \"{}\" has the value {:#x}; at most {:#x} fits here",
                                         reader.tape.string(node), largest, mask),
                             "use an enum whose values fit", "map-value-does-not-fit");
}

} // namespace barscope::regmaps
