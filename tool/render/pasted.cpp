#include <render/pasted.h>

#include <algorithm>

#include <capture/work_request.h>
#include <render/digits.h>
#include <render/field_lines.h>
#include <render/identity.h>
#include <render/pasted_parts.h>
#include <render/ring.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::none;
using regmaps::RegisterMap;

constexpr unsigned description_indent = 11;

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

void append_description(std::string& out, const RegisterMap& map, const DecodedField& field) {
    if (field.enum_value != none && map.enum_values[field.enum_value].description.size != 0) {
        out.append(description_indent, ' ');
        append_wrapped(out, description_indent, map.text(map.enum_values[field.enum_value].description),
                       true);
    }
}

void append_fields(std::string& out, const Style& style, const RegisterMap& map, const Pasted& entry,
                   Handles& handles) {
    FieldLines lines(map, style, 4);
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
        if (handles.hides(map, entry.structure, field)) {
            lines.append_hidden(out, field, "hidden: kernel pointer (" + handles.token(map, field) + ")");
        } else if (is_bytes_field(map, field)) {
            const regmaps::Field& definition = map.fields[field.field];
            lines.append_bytes(
                out, definition,
                regmaps::field_text(map, definition, std::span<const std::uint8_t>(entry.bytes)));
        } else {
            lines.append(out, field);
            append_description(out, map, field);
        }
    }
}

void append_entry(std::string& out, const Style& style, const RegisterMap& map, const PastedSet& set,
                  const Pasted& entry, const RingEntry* judged, const PastedView& view, Handles& handles) {
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
            out += bytes_text(map, entry, handles);
        }
        if (entry.structure.valid) {
            out += "  valid bit ";
            append_decimal(out, *entry.structure.valid);
            out += judged == nullptr || judged->state == EntryState::cannot_tell ? "" : ": ";
            out += judged == nullptr || judged->state == EntryState::cannot_tell ? "" : name(judged->state);
        }
        if (entry.structure.variant_unknown) {
            style.put(out, Ink::warning, "  (the map has no variant for this type)");
        }
    }
    out += '\n';
    append_fields(out, style, map, entry, handles);
    std::size_t element_index = 0;
    for (const ScatterGather& element : scatter_gather_of(map, set, entry)) {
        out += "    SGE[";
        append_decimal(out, element_index++);
        out += "]  address ";
        append_hex(out, element.address, 16);
        out += "  key ";
        append_hex(out, element.key);
        out += "  size ";
        append_decimal(out, element.size);
        out += '\n';
    }
    for (const std::string& remark : remarks_of(map, set, entry, view)) {
        out += "  " + remark + '\n';
    }
}

// A table where there is more than one structure to compare, every field otherwise.
bool as_table(const PastedSet& set, const PastedView& view) {
    return set.definition.structure != none && set.definition.field == none && !view.full && !view.entry &&
           set.places.size() > 1;
}

bool tells_of_ring(const PastedSet& set, const PastedView& view) {
    return set.definition.structure != none &&
           (view.ring.any() || !set.stopped.empty() || set.places.size() > 1);
}

void append_entries(Output& output, const Style& style, const RegisterMap& map, const PastedSet& set,
                    const PastedView& view, Handles& handles) {
    for (std::size_t i = 0; i < set.places.size(); ++i) {
        if (is_shown(view, i)) {
            const RingEntry* judged = set.ring.entries.empty() ? nullptr : &set.ring.entries[i];
            append_entry(output.text(), style, map, set, pasted_entry(map, set, i), judged, view, handles);
            output.drain();
        }
    }
}

} // namespace

void render_pasted_text(Output& output, const Style& style, const RegisterMap& map, const PastedSet& set,
                        const PastedView& view) {
    Handles handles(view.show_pointers);
    std::string& out = output.text();
    style.begin(out, Ink::heading);
    append_map(out, map);
    style.end(out, Ink::heading);
    out += '\n';
    if (!set.form.empty()) {
        out += "input: " + set.form + ", ";
        append_decimal(out, set.bytes.size());
        out += " bytes\n";
    }
    if (as_table(set, view)) {
        render_ring_table(output, style, map, set, view.ring, handles);
    } else {
        append_entries(output, style, map, set, view, handles);
    }
    if (tells_of_ring(set, view)) {
        append_ring_summary(out, style, map, set, view.ring);
    }
    if (set.left_over != 0) {
        append_decimal(out, set.left_over);
        out += " bytes behind the last whole entry are not decoded\n";
    }
    if (handles.any_hidden()) {
        out += "kernel pointers are hidden (equal ones have the same #); --show-pointers shows them\n";
    }
}

} // namespace barscope::tool
