// Pasted values as a document.
#include <capture/work_request.h>
#include <render/identity.h>
#include <render/pasted_parts.h>
#include <render/registers_json.h>
#include <render/ring.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::none;
using regmaps::RegisterMap;

void write_entry(JsonWriter& json, const RegisterMap& map, const PastedSet& set, const Pasted& entry,
                 std::size_t index, const PastedView& view, Handles& handles, std::string& scratch) {
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
        json.member_number("index", view.ring.first + index);
        json.member("state", name(set.ring.entries[index].state));
        json.member("bytes", bytes_text(map, entry, handles));
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
    for (const DecodedField& field : entry.fields) {
        if (handles.hides(map, entry.structure, field)) {
            json.begin_object();
            json.key("name");
            if (field.field == none) {
                json.null();
            } else {
                json.string(map.text(map.fields[field.field].name));
            }
            json.member_number("at", field.at);
            json.member("hidden", regmaps::name(regmaps::Sensitive::kernel_pointer));
            json.member("token", handles.token(map, field));
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
    if (const auto list = scatter_gather_of(map, set, entry); !list.empty()) {
        json.key("scatterGather");
        json.begin_array();
        for (const ScatterGather& element : list) {
            json.begin_object();
            json.member_hex("address", element.address, 16);
            json.member_hex("key", element.key, 8);
            json.member_number("size", element.size);
            json.end_object();
        }
        json.end_array();
    }
    if (const auto remarks = remarks_of(map, set, entry, view); !remarks.empty()) {
        json.key("remarks");
        json.begin_array();
        for (const std::string& remark : remarks) {
            json.string(remark);
        }
        json.end_array();
    }
    json.end_object();
}

} // namespace

void render_pasted_json(Output& output, const RegisterMap& map, const PastedSet& set,
                        const PastedView& view) {
    Handles handles(view.show_pointers);
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_map(json, map);
    if (!set.form.empty()) {
        json.member("input", set.form);
    }
    json.break_line();
    json.key("entries");
    json.begin_array();
    std::string scratch;
    for (std::size_t i = 0; i < set.places.size(); ++i) {
        if (is_shown(view, i)) {
            write_entry(json, map, set, pasted_entry(map, set, i), i, view, handles, scratch);
            output.drain();
        }
    }
    json.end_array();
    if (set.definition.structure != none) {
        json.break_line();
        write_ring(json, set, view.ring);
    }
    json.break_line();
    json.member_number("bytesLeftOver", set.left_over);
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
