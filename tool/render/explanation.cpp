#include <render/explanation.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/json_writer.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

void append_fact(std::string& out, std::string_view label, std::string_view text) {
    if (!text.empty()) {
        out += "  ";
        out += label;
        pad(out, label.size(), 12);
        append_wrapped(out, 14, text, true);
    }
}

std::string groups_text(const RegisterMap& map, regmaps::Range groups) {
    std::string text;
    for (const regmaps::Text group : map.text_list.subspan(groups.begin, groups.count)) {
        text += text.empty() ? "" : ", ";
        append_safe(text, map.text(group));
    }
    return text;
}

std::string bits_text(const regmaps::Field& field) {
    std::string text = std::to_string(field.msb);
    if (field.msb != field.lsb) {
        text += ":" + std::to_string(field.lsb);
    }
    return text;
}

std::string reading_text(const regmaps::Register& reg) {
    if (!regmaps::readable(reg.access)) {
        return "not read: reading gives no value";
    }
    switch (reg.read_action) {
    case regmaps::ReadAction::none:
        return reg.on_request ? "on request only; no side effect is known" : "has no side effect";
    case regmaps::ReadAction::unclaimed:
        return "not read: the map does not say that it is safe";
    default:
        return "not read: reading changes the device (" + std::string(regmaps::name(reg.read_action)) + ")";
    }
}

std::string register_place(const RegisterMap& map, const regmaps::Register& reg) {
    const regmaps::Space& space = map.spaces[reg.space];
    std::string text = std::string(map.text(space.name)) + " (" + place_text(map, space) + "), offset ";
    append_hex(text, reg.offset);
    for (Index block = reg.block; block != none; block = map.blocks[block].parent) {
        text += " in block " + std::string(map.text(map.blocks[block].name));
        text += map.blocks[block].base == none
                    ? ""
                    : " (base " + expression_text(map, map.blocks[block].base) + ")";
    }
    return text;
}

std::string array_text(const RegisterMap& map, const regmaps::Array& array) {
    if (array.count == none) {
        return {};
    }
    return expression_text(map, array.count) + " elements, " + expression_text(map, array.stride) +
           " bytes apart";
}

void append_enum(std::string& out, const Style& style, const RegisterMap& map, Index enumeration,
                 std::size_t indent) {
    if (enumeration == none) {
        return;
    }
    const regmaps::Range values = map.enums[enumeration].values;
    for (const regmaps::EnumValue& value : map.enum_values.subspan(values.begin, values.count)) {
        out.append(indent, ' ');
        const std::size_t begin = out.size();
        append_hex(out, value.value);
        pad(out, out.size() - begin, 6);
        out += "  ";
        append_safe(out, map.text(value.name));
        if (value.severity != regmaps::Severity::unspecified) {
            out += "  ";
            style.begin(out, ink_of(value.severity));
            out += '[';
            out += regmaps::name(value.severity);
            out += ']';
            style.end(out, ink_of(value.severity));
        }
        if (value.description.size != 0) {
            out += "  ";
            append_safe(out, map.text(value.description));
        }
        out += '\n';
    }
}

void append_field(std::string& out, const Style& style, const RegisterMap& map, const regmaps::Field& field,
                  bool structure) {
    const std::string bits = field.bytes != 0 ? std::to_string(field.bytes) + " bytes" : bits_text(field);
    out += "  ";
    if (structure) {
        append_hex(out, field.at, 2);
        out += "  ";
    }
    out += bits;
    pad(out, bits.size(), 7);
    style.put(out, Ink::heading, map.text(field.name));
    if (field.title.size != 0) {
        out += "  ";
        append_safe(out, map.text(field.title));
    }
    if (field.unit.size != 0) {
        out += " (";
        append_safe(out, map.text(field.unit));
        out += ')';
    }
    out += '\n';
    if (field.description.size != 0) {
        append_wrapped(out, 9, map.text(field.description));
    }
    if (field.when != none) {
        append_wrapped(out, 9, "only when " + expression_text(map, field.when));
    }
    append_enum(out, style, map, field.enumeration, 9);
    for (const regmaps::FieldSeverity& mark :
         map.field_severities.subspan(field.severities.begin, field.severities.count)) {
        out.append(9, ' ');
        append_hex(out, mark.value);
        out += "  [";
        out += regmaps::name(mark.severity);
        out += "]\n";
    }
    if (field.source.size != 0) {
        append_wrapped(out, 9, "source: " + std::string(map.text(field.source)));
    }
}

std::span<const regmaps::Field> fields_shown(const RegisterMap& map, const Definition& definition) {
    if (definition.field != none) {
        return map.fields.subspan(definition.field, 1);
    }
    const regmaps::Range range = definition.reg != none ? map.registers[definition.reg].fields
                                                        : map.structures[definition.structure].fields;
    return map.fields.subspan(range.begin, range.count);
}

void append_register(std::string& out, const Style& style, const RegisterMap& map, Index index) {
    const regmaps::Register& reg = map.registers[index];
    style.put(out, Ink::heading, definition_name(map, index));
    if (reg.title.size != 0) {
        out += "  ";
        append_safe(out, map.text(reg.title));
    }
    out += '\n';
    if (reg.description.size != 0) {
        append_wrapped(out, 2, map.text(reg.description));
    }
    append_fact(out, "place", register_place(map, reg));
    append_fact(out, "width",
                std::to_string(reg.width) + " bits" +
                    (reg.order == safety::ByteOrder::big ? ", big endian" : ""));
    append_fact(out, "access", regmaps::name(reg.access));
    append_fact(out, "reading", reading_text(reg));
    if (reg.modified_write != regmaps::ModifiedWrite::plain) {
        append_fact(out, "writing", regmaps::name(reg.modified_write));
    }
    append_fact(out, "changes", regmaps::name(reg.volatility));
    append_fact(out, "array", array_text(map, reg.array));
    append_fact(out, "exists when", expression_text(map, reg.when));
    append_fact(out, "groups", groups_text(map, reg.groups));
    if (reg.has_reset) {
        std::string reset;
        append_hex(reset, reg.reset_value, reg.width / 4U);
        append_fact(out, "reset value", reset);
    }
    append_fact(out, "unit", escaped(map.text(reg.unit)));
    if (reg.never_all_ones) {
        append_fact(out, "sentinel", "all ones here means that the device does not answer");
    }
    append_fact(out, "source", escaped(map.text(reg.source)));
    append_enum(out, style, map, reg.enumeration, 4);
}

void append_structure(std::string& out, const Style& style, const RegisterMap& map, Index index) {
    const regmaps::Structure& structure = map.structures[index];
    style.put(out, Ink::heading, map.text(structure.name));
    if (structure.title.size != 0) {
        out += "  ";
        append_safe(out, map.text(structure.title));
    }
    out += '\n';
    if (structure.description.size != 0) {
        append_wrapped(out, 2, map.text(structure.description));
    }
    append_fact(out, "size",
                std::to_string(structure.size) + " bytes" +
                    (structure.order == safety::ByteOrder::big ? ", big endian" : ""));
    if (structure.variant_on != none) {
        std::string variants = "by " + std::string(map.text(map.fields[structure.variant_on].name));
        for (const regmaps::VariantCase& one :
             map.variant_cases.subspan(structure.variant_cases.begin, structure.variant_cases.count)) {
            variants += ", ";
            append_hex(variants, one.value);
            variants += " is " + std::string(map.text(map.structures[one.structure].name));
        }
        append_fact(out, "variant", variants);
    }
    if (structure.valid_field != none) {
        append_fact(out, "valid",
                    std::string(map.text(map.fields[structure.valid_field].name)) +
                        (structure.valid_phase ? ", alternating with each pass over the ring" : ""));
    }
    append_fact(out, "groups", groups_text(map, structure.groups));
    append_fact(out, "source", escaped(map.text(structure.source)));
}

void write_enum(JsonWriter& json, const RegisterMap& map, Index enumeration) {
    if (enumeration == none) {
        return;
    }
    json.key("enum");
    json.begin_array();
    const regmaps::Range values = map.enums[enumeration].values;
    for (const regmaps::EnumValue& value : map.enum_values.subspan(values.begin, values.count)) {
        json.begin_object();
        json.member_hex("value", value.value);
        json.member("name", map.text(value.name));
        json.member("description", map.text(value.description));
        if (value.severity != regmaps::Severity::unspecified) {
            json.member("severity", regmaps::name(value.severity));
        }
        json.end_object();
    }
    json.end_array();
}

void write_texts(JsonWriter& json, const RegisterMap& map, regmaps::Text title, regmaps::Text description,
                 regmaps::Text source) {
    json.member("title", map.text(title));
    json.member("description", map.text(description));
    json.member("source", map.text(source));
}

void write_groups(JsonWriter& json, const RegisterMap& map, regmaps::Range groups) {
    json.key("groups");
    json.begin_array();
    for (const regmaps::Text group : map.text_list.subspan(groups.begin, groups.count)) {
        json.string(map.text(group));
    }
    json.end_array();
}

void write_fields(JsonWriter& json, const RegisterMap& map, const Definition& definition) {
    json.key("fields");
    json.begin_array();
    for (const regmaps::Field& field : fields_shown(map, definition)) {
        json.break_line();
        json.begin_object();
        json.member("name", map.text(field.name));
        if (definition.structure != none) {
            json.member_number("at", field.at);
        }
        if (field.bytes != 0) {
            json.member_number("bytes", field.bytes);
        } else {
            json.member("bits", bits_text(field));
        }
        json.member("access", regmaps::name(field.access));
        json.member("unit", map.text(field.unit));
        json.member("when", expression_text(map, field.when));
        write_texts(json, map, field.title, field.description, field.source);
        write_enum(json, map, field.enumeration);
        json.end_object();
    }
    json.end_array();
}

} // namespace

std::string expression_text(const RegisterMap& map, Index expression) {
    return expression == none ? std::string() : escaped(map.text(map.expressions[expression].source));
}

std::string place_text(const RegisterMap& map, const regmaps::Space& space) {
    std::string text;
    switch (space.kind) {
    case regmaps::SpaceKind::bar:
        text = "BAR " + expression_text(map, space.bar);
        break;
    case regmaps::SpaceKind::config:
        text = "configuration space";
        break;
    case regmaps::SpaceKind::capability:
        text = "capability ";
        append_hex(text, space.capability, 2);
        break;
    case regmaps::SpaceKind::extended_capability:
        text = "extended capability ";
        append_hex(text, space.capability, 4);
        break;
    }
    if (const std::string base = expression_text(map, space.base); !base.empty() && base != "0") {
        text += " at " + base;
    }
    if (space.window_select != none) {
        text += ", shown while " + definition_name(map, space.window_select) + " is " +
                expression_text(map, space.window_value);
    }
    if (space.when != none) {
        text += ", when " + expression_text(map, space.when);
    }
    return text;
}

std::string access_text(const regmaps::Register& reg) {
    std::string text(regmaps::name(reg.access));
    if (regmaps::readable(reg.access) && reg.read_action != regmaps::ReadAction::none) {
        text += reg.read_action == regmaps::ReadAction::unclaimed
                    ? ", not read"
                    : ", not read: reading does " + std::string(regmaps::name(reg.read_action));
    }
    return text;
}

void render_explanation_text(Output& output, const Style& style, const RegisterMap& map,
                             const Definition& definition) {
    std::string& out = output.text();
    append_map(out, map);
    out += '\n';
    if (definition.reg != none) {
        append_register(out, style, map, definition.reg);
    } else {
        append_structure(out, style, map, definition.structure);
    }
    const auto fields = fields_shown(map, definition);
    if (!fields.empty()) {
        out += '\n';
    }
    for (const regmaps::Field& field : fields) {
        append_field(out, style, map, field, definition.structure != none);
    }
}

void render_explanation_json(Output& output, const RegisterMap& map, const Definition& definition) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_map(json, map);
    json.break_line();
    json.key(definition.reg != none ? "register" : "structure");
    json.begin_object();
    if (definition.reg != none) {
        const regmaps::Register& reg = map.registers[definition.reg];
        json.member("name", definition_name(map, definition.reg));
        json.member("space", map.text(map.spaces[reg.space].name));
        json.member_hex("offset", reg.offset);
        json.member_number("width", reg.width);
        json.member("access", regmaps::name(reg.access));
        json.member("readAction", regmaps::name(reg.read_action));
        json.member("reading", reading_text(reg));
        json.member("volatility", regmaps::name(reg.volatility));
        json.member("array", array_text(map, reg.array));
        json.member("when", expression_text(map, reg.when));
        json.member("unit", map.text(reg.unit));
        write_groups(json, map, reg.groups);
        write_texts(json, map, reg.title, reg.description, reg.source);
        write_enum(json, map, reg.enumeration);
    } else {
        const regmaps::Structure& structure = map.structures[definition.structure];
        json.member("name", map.text(structure.name));
        json.member_number("size", structure.size);
        write_groups(json, map, structure.groups);
        write_texts(json, map, structure.title, structure.description, structure.source);
    }
    json.break_line();
    write_fields(json, map, definition);
    json.end_object();
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
