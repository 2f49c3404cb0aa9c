#include <render/pasted.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/field_lines.h>
#include <render/identity.h>
#include <render/registers_json.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::none;
using regmaps::RegisterMap;

// The bytes that hold a field's bits, [first, second): of its whole word where that is big endian.
std::pair<std::size_t, std::size_t> bytes_of(const RegisterMap& map, const DecodedField& field) {
    const regmaps::Field& definition = map.fields[field.field];
    if (definition.bytes != 0) {
        return {field.at, std::size_t{field.at} + definition.bytes};
    }
    if (map.structures[definition.owner].order == safety::ByteOrder::big) {
        return {field.at, std::size_t{field.at} + definition.width / 8U};
    }
    return {std::size_t{field.at} + field.lsb / 8U, std::size_t{field.at} + field.msb / 8U + 1};
}

// Which bytes belong to fields that are kept from the user.
std::vector<bool> hidden_bytes(const RegisterMap& map, const PastedSet& set, const Pasted& entry) {
    std::vector<bool> hidden(entry.bytes.size());
    for (const DecodedField& field : entry.structure.fields) {
        if (is_hidden(map, field, set.show_pointers)) {
            const auto [first, end] = bytes_of(map, field);
            for (std::size_t i = first; i < std::min(end, hidden.size()); ++i) {
                hidden[i] = true;
            }
        }
    }
    return hidden;
}

// Whether a field gives away a hidden one: it is hidden itself, or another layout's reading of the same
// bytes.
bool gives_away(const RegisterMap& map, const std::vector<bool>& hidden, const DecodedField& field) {
    if (field.field == none || hidden.empty()) {
        return false;
    }
    const auto [first, end] = bytes_of(map, field);
    const auto at = [&](std::size_t i) {
        return hidden.begin() + static_cast<std::ptrdiff_t>(std::min(i, hidden.size()));
    };
    return std::find(at(first), at(end), true) != at(end);
}

std::string bytes_text(const RegisterMap& map, const PastedSet& set, const Pasted& entry) {
    const std::vector<bool> hidden = hidden_bytes(map, set, entry);
    std::string text;
    for (std::size_t i = 0; i < entry.bytes.size(); ++i) {
        text += i == 0 ? "" : " ";
        if (hidden[i]) {
            text += "..";
        } else {
            append_hex_digits(text, entry.bytes[i], 2);
        }
    }
    return text;
}

bool is_bytes_field(const RegisterMap& map, const DecodedField& field) {
    return field.field != none && map.fields[field.field].bytes != 0;
}

// "doorbell (long)": the structure and the variants that were chosen one after another.
std::string structure_name(const RegisterMap& map, const regmaps::DecodedStructure& decoded) {
    std::string name;
    for (const regmaps::Index outer : decoded.chain) {
        name += map.text(map.structures[outer].name);
        name += " > ";
    }
    name += map.text(map.structures[decoded.structure].name);
    return name;
}

void append_fields(std::string& out, const Style& style, const RegisterMap& map, const PastedSet& set,
                   const Pasted& entry) {
    FieldLines lines(map, style, 4);
    const std::vector<bool> hidden = hidden_bytes(map, set, entry);
    for (const DecodedField& field : entry.fields) {
        if (field.field != none) {
            lines.fit({field.field, 1});
        }
    }
    std::uint32_t word = 0;
    bool first = true;
    for (const DecodedField& field : entry.fields) {
        if (field.at != word || (first && field.at != 0)) {
            word = field.at;
            out += "  at ";
            append_hex(out, word, 2);
            out += '\n';
        }
        first = false;
        if (gives_away(map, hidden, field)) {
            lines.append_hidden(out, field);
        } else if (is_bytes_field(map, field)) {
            const regmaps::Field& definition = map.fields[field.field];
            lines.append_bytes(
                out, definition,
                regmaps::field_text(map, definition, std::span<const std::uint8_t>(entry.bytes)));
        } else {
            lines.append(out, field);
        }
    }
}

void append_entry(std::string& out, const Style& style, const RegisterMap& map, const PastedSet& set,
                  const Pasted& entry) {
    if (set.from_bytes) {
        append_hex(out, entry.offset, 4);
        out += "  ";
    }
    if (set.definition.reg != none) {
        const regmaps::Register& reg = map.registers[set.definition.reg];
        out += definition_name(map, set.definition.reg);
        out += "  ";
        append_hex(out, entry.value, reg.width / 4U);
        if (reg.display != regmaps::Display::hex || reg.unit.size != 0) {
            out += "  ";
            out += regmaps::register_text(map, reg, entry.value);
        }
        if (!entry.suspect.empty()) {
            style.begin(out, Ink::critical);
            out += "  not data: ";
            out += entry.suspect;
            style.end(out, Ink::critical);
        }
        append_meaning(out, style, map, entry.enum_value,
                       entry.enum_value == none ? regmaps::Severity::unspecified
                                                : map.enum_values[entry.enum_value].severity);
    } else {
        out += structure_name(map, entry.structure);
        if (entry.bytes.size() <= 16) {
            out += "  ";
            out += bytes_text(map, set, entry);
        }
        if (entry.structure.valid) {
            out += "  valid bit ";
            append_decimal(out, *entry.structure.valid);
        }
        if (entry.structure.variant_unknown) {
            style.put(out, Ink::warning, "  (the map has no variant for this type)");
        }
    }
    out += '\n';
    append_fields(out, style, map, set, entry);
}

void write_entry(JsonWriter& json, const RegisterMap& map, const PastedSet& set, const Pasted& entry,
                 std::string& scratch) {
    json.break_line();
    json.begin_object();
    if (set.definition.reg != none) {
        const regmaps::Register& reg = map.registers[set.definition.reg];
        json.member("name", definition_name(map, set.definition.reg));
        json.member_number("width", reg.width);
        json.member_hex("value", entry.value, reg.width / 4U);
        if (!entry.suspect.empty()) {
            json.member("suspect", entry.suspect);
        }
        if (entry.enum_value != none) {
            json.member("enum", map.text(map.enum_values[entry.enum_value].name));
        }
    } else {
        json.member("name", map.text(map.structures[set.definition.structure].name));
        json.member("structure", map.text(map.structures[entry.structure.structure].name));
        json.member("bytes", bytes_text(map, set, entry));
        if (entry.structure.valid) {
            json.member_hex("valid", *entry.structure.valid);
        }
        json.member_bool("variantUnknown", entry.structure.variant_unknown);
    }
    if (set.from_bytes) {
        json.member_hex("at", entry.offset);
    }
    json.key("fields");
    json.begin_array();
    const std::vector<bool> hidden = hidden_bytes(map, set, entry);
    for (const DecodedField& field : entry.fields) {
        if (gives_away(map, hidden, field)) {
            json.begin_object();
            json.member("name", map.text(map.fields[field.field].name));
            json.member_number("at", field.at);
            json.member("hidden", regmaps::name(regmaps::Sensitive::kernel_pointer));
            json.end_object();
        } else if (is_bytes_field(map, field)) {
            const regmaps::Field& definition = map.fields[field.field];
            json.begin_object();
            json.member("name", map.text(definition.name));
            json.member_number("at", definition.at);
            json.member("bytes",
                        regmaps::field_text(map, definition, std::span<const std::uint8_t>(entry.bytes)));
            json.end_object();
        } else {
            write_field(json, map, field, scratch);
        }
    }
    json.end_array();
    json.end_object();
}

} // namespace

void render_pasted_text(Output& output, const Style& style, const RegisterMap& map, const PastedSet& set) {
    style.begin(output.text(), Ink::heading);
    append_map(output.text(), map);
    style.end(output.text(), Ink::heading);
    output.text() += '\n';
    for (const Pasted& entry : set.entries) {
        append_entry(output.text(), style, map, set, entry);
        output.drain();
    }
    if (set.left_over != 0) {
        append_decimal(output.text(), set.left_over);
        output.text() += " bytes behind the last whole entry are not decoded\n";
    }
}

void render_pasted_json(Output& output, const RegisterMap& map, const PastedSet& set) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_map(json, map);
    json.break_line();
    json.key("entries");
    json.begin_array();
    std::string scratch;
    for (const Pasted& entry : set.entries) {
        write_entry(json, map, set, entry, scratch);
        output.drain();
    }
    json.end_array();
    json.break_line();
    json.member_number("bytesLeftOver", set.left_over);
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
