#include "loader_field.h"

#include <algorithm>

#include <fmt/format.h>

#include "expression_parser_number.h"

namespace barscope::regmaps {

bool FieldLoader::load(const ObjectShape& shape) {
    if (reader_.tables.fields.size() >= max_fields) {
        return reader_.fail(node_, fmt::format("more than {} fields", max_fields), "split the map");
    }
    return reader_.object(node_, shape, [&](Key key, NodeIndex value) { return load_member(key, value); }) &&
           (nodes.when == no_node || reader_.expression(nodes.when, scope_, field.when)) &&
           (nodes.modulus == no_node || reader_.expression(nodes.modulus, scope_, field.modulus)) &&
           check_scale();
}

bool FieldLoader::load_bits() {
    if (reader_.tape.kind(nodes.bits) == NodeKind::integer) { // "bits": 3
        std::uint64_t bit = 0;
        return reader_.number(nodes.bits, UINT64_MAX, bit) && set_bits(bit, bit);
    }
    std::string_view text;
    if (!reader_.string(nodes.bits, text)) {
        return false;
    }
    const std::size_t colon = text.find(':');
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    const bool ok = is_plain(text.substr(0, colon), high) &&
                    (colon == std::string_view::npos || is_plain(text.substr(colon + 1), low));
    if (!ok) {
        return reader_.fail(nodes.bits, fmt::format("\"{}\" names no bits", text), "write \"15:8\" or \"3\"");
    }
    return set_bits(high, colon == std::string_view::npos ? high : low);
}

bool FieldLoader::load_values() {
    const std::uint64_t mask = mask_of(field.msb - field.lsb + 1U);
    if (nodes.enumeration != no_node && nodes.severity != no_node) {
        return reader_.fail(nodes.severity, "a field with an enum has its severities there",
                            "move them into the enum");
    }
    return (nodes.enumeration == no_node ||
            load_enum_use(reader_, nodes.enumeration, mask, field.enumeration)) &&
           (nodes.severity == no_node || load_severities(mask));
}

bool FieldLoader::load_member(Key key, NodeIndex value) {
    switch (key) {
    case Key::name:
        nodes.name = value;
        return reader_.name(value, field.name, true);
    case Key::bits:
        return later(nodes.bits, value);
    case Key::enum_:
        return later(nodes.enumeration, value);
    case Key::access:
        nodes.access = value;
        return reader_.word(value, field.access);
    case Key::read_action:
        return reader_.word(value, field.read_action);
    case Key::modified_write_value:
        return reader_.word(value, field.modified_write);
    case Key::display:
        nodes.display = value;
        return reader_.word(value, field.display);
    case Key::scale:
        nodes.scale = value;
        return reader_.real(value, field.scale);
    case Key::offset:
        nodes.offset = value;
        return reader_.real(value, field.offset);
    case Key::unit:
        return reader_.text(value, field.unit);
    case Key::severity:
        return later(nodes.severity, value);
    case Key::volatility:
        return reader_.word(value, field.volatility);
    default:
        return load_text_or_later(key, value);
    }
}

bool FieldLoader::load_text_or_later(Key key, NodeIndex value) {
    switch (key) {
    case Key::modulus:
        return later(nodes.modulus, value);
    case Key::when:
        return later(nodes.when, value);
    case Key::title:
        return reader_.text(value, field.title);
    case Key::description:
        return reader_.text(value, field.description);
    case Key::source:
        return reader_.text(value, field.source);
    case Key::at:
        nodes.at = value;
        return reader_.number_into(value, max_structure_size, field.at);
    case Key::width:
        nodes.width = value;
        return reader_.width(value, field.width);
    case Key::sensitive:
        nodes.sensitive = value;
        return reader_.word(value, field.sensitive);
    default:
        nodes.bytes = value;
        return reader_.number_into(value, max_structure_size, field.bytes);
    }
}

bool FieldLoader::later(NodeIndex& slot, NodeIndex value) {
    slot = value;
    return true;
}

bool FieldLoader::is_plain(std::string_view text, std::uint64_t& out) {
    return text.find_first_not_of("0123456789") == std::string_view::npos &&
           parse_number(text, out) == NumberProblem::fine;
}

bool FieldLoader::set_bits(std::uint64_t high, std::uint64_t low) {
    if (high < low) {
        return reader_.state.fail(reader_.place(nodes.bits),
                                  fmt::format("the bits {}:{} are reversed", high, low),
                                  fmt::format("write \"{}:{}\"", low, high), "map-reversed-bits");
    }
    if (high >= field.width) {
        return reader_.state.fail(reader_.place(nodes.bits),
                                  fmt::format("bit {} is outside of the {} bits here", high, field.width),
                                  "correct the bits or the width", "map-field-outside");
    }
    field.msb = static_cast<std::uint8_t>(high);
    field.lsb = static_cast<std::uint8_t>(low);
    return true;
}

bool FieldLoader::check_scale() {
    const bool has_scale = nodes.scale != no_node || nodes.offset != no_node;
    if (has_scale && field.display != Display::scaled) {
        return reader_.fail(nodes.scale != no_node ? nodes.scale : nodes.offset,
                            "a scale needs \"display\": \"scaled\"", "add it, or remove the scale");
    }
    return has_scale || nodes.display == no_node || field.display != Display::scaled ||
           reader_.fail(nodes.display, "a scaled field needs \"scale\" or \"offset\"", "add one of them");
}

bool FieldLoader::load_severities(std::uint64_t mask) {
    Tables& tables = reader_.tables;
    if (reader_.tape.kind(nodes.severity) != NodeKind::object) {
        return reader_.fail(nodes.severity, "\"severity\" must be an object", "write {VALUE: SEVERITY, ...}");
    }
    field.severities = {static_cast<Index>(tables.field_severities.size()), 0};
    for (const Children::Item item : Children(reader_.tape, nodes.severity)) {
        if (reader_.tape.key_text(item.node).starts_with("x-")) {
            continue;
        }
        FieldSeverity severity;
        if (!reader_.key_number(item.node, mask, severity.value) ||
            !reader_.word(item.node, severity.severity)) {
            return false;
        }
        for (std::uint32_t i = 0; i < field.severities.count; ++i) {
            if (tables.field_severities[field.severities.begin + i].value == severity.value) {
                return reader_.state.fail_at(reader_.place(item.node), reader_.tape.key_start(item.node),
                                             fmt::format("the value {:#x} stands here twice", severity.value),
                                             "keep one of them", "map-duplicate-name");
            }
        }
        if (field.severities.count == max_severities) {
            return reader_.fail(nodes.severity, fmt::format("more than {} severities", max_severities),
                                "use an enum");
        }
        tables.field_severities.push_back(severity);
        ++field.severities.count;
    }
    return true;
}
// Fields are few, so that looking at all
// of them is quick; where they are not, sorting is.
bool check_field_names(Reader& reader, Index begin, const std::vector<NodeIndex>& name_nodes) {
    const Tables& tables = reader.tables;
    const std::size_t count = tables.fields.size() - begin;
    const auto name = [&](std::size_t i) { return tables.text(tables.fields[begin + i].name); };
    const auto fail = [&](std::size_t i) {
        return reader.state.fail(reader.place(name_nodes[i]),
                                 fmt::format("the field \"{}\" exists already", name(i)),
                                 "give each its own name", "map-duplicate-name");
    };
    if (count <= 16) {
        for (std::size_t i = 1; i < count; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (name(i) == name(j)) {
                    return fail(i);
                }
            }
        }
        return true;
    }
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const int compared = name(a).compare(name(b));
        return compared != 0 ? compared < 0 : a < b;
    });
    for (std::size_t i = 1; i < count; ++i) {
        if (name(order[i]) == name(order[i - 1])) {
            return fail(order[i]);
        }
    }
    return true;
}

} // namespace barscope::regmaps
