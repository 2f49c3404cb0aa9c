#include <render/register_dump.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/registers_json.h>

namespace barscope::tool {

namespace {

void append_words(std::string& out, const std::vector<DumpWord>& words) {
    for (const DumpWord& word : words) {
        out += "  ";
        append_hex(out, word.offset, 4);
        out += "  ";
        append_hex(out, word.value, 8);
        out += '\n';
    }
}

void append_statistics(std::string& out, const regmaps::RegisterMap& map, const RegisterDump& dump) {
    std::size_t width = 0;
    for (const regmaps::DecodedField& field : dump.fields) {
        width = field.field == regmaps::none
                    ? width
                    : std::max<std::size_t>(width, map.fields[field.field].name.size);
    }
    for (const regmaps::DecodedField& field : dump.fields) {
        if (field.field == regmaps::none) {
            continue; // words whose name is "unused" in the header
        }
        const regmaps::Field& definition = map.fields[field.field];
        out += "  ";
        append_hex(out, field.at, 3);
        out += "  ";
        append_safe(out, map.text(definition.name));
        pad(out, definition.name.size, width + 2);
        if (definition.bytes != 0) {
            out += regmaps::field_text(map, definition, std::span<const std::uint8_t>(dump.statistics));
        } else {
            regmaps::append_field_text(map, definition, field.value, out);
        }
        out += '\n';
    }
}

void write_words(JsonWriter& json, std::string_view name, const std::vector<DumpWord>& words) {
    json.key(name);
    json.begin_array();
    for (const DumpWord& word : words) {
        json.break_line();
        json.begin_object();
        json.member_hex("offset", word.offset, 4);
        json.member_hex("value", word.value, 8);
        json.end_object();
    }
    json.end_array();
}

} // namespace

void render_register_dump_text(Output& output, const Style& style, const regmaps::RegisterMap& map,
                               const RegisterDump& dump) {
    std::string& out = output.text();
    out += "bnxt_en register dump, version ";
    append_decimal(out, dump.version);
    out += dump.version_from_length ? " by its length, " : ", ";
    append_decimal(out, dump.size);
    out += " bytes, from ";
    append_safe(out, dump.source);
    out += "\n\n";
    style.put(out, Ink::heading, "PXP block, read by the firmware (offset, value)");
    out += '\n';
    append_words(out, dump.pxp);
    out += "  ";
    append_decimal(out, dump.pxp_words - dump.pxp.size());
    out += " of ";
    append_decimal(out, dump.pxp_words);
    out += " words are zero and not listed; what the words mean is not public\n";
    if (dump.structure != regmaps::none) {
        out += '\n';
        style.put(out, Ink::heading, "PCI Express statistics");
        out += '\n';
        append_statistics(out, map, dump);
        if (dump.equalization_ms) {
            out += "  equalization time of phases 0 to 3:";
            for (const unsigned milliseconds : *dump.equalization_ms) {
                out += ' ';
                append_decimal(out, milliseconds);
            }
            out += " ms\n";
        }
    }
    if (!dump.buffers.empty()) {
        out += '\n';
        style.put(out, Ink::heading, "Buffer data (offset, value)");
        out += '\n';
        append_words(out, dump.buffers);
    }
    for (const std::string& remark : dump.remarks) {
        out += remark;
        out += '\n';
    }
}

void render_register_dump_json(Output& output, const regmaps::RegisterMap& map, const RegisterDump& dump) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_map(json, map);
    json.break_line();
    json.member("source", dump.source);
    json.member("driver", "bnxt_en");
    json.member_number("version", dump.version);
    json.member_bool("versionFromLength", dump.version_from_length);
    json.member_number("size", dump.size);
    json.member_number("pxpWords", dump.pxp_words);
    write_words(json, "pxp", dump.pxp);
    json.break_line();
    json.key("pcieStatistics");
    json.begin_array();
    std::string scratch;
    for (const regmaps::DecodedField& field : dump.fields) {
        if (field.field != regmaps::none && map.fields[field.field].bytes == 0) {
            json.break_line();
            write_field(json, map, field, scratch);
        }
    }
    json.end_array();
    if (dump.equalization_ms) {
        json.key("equalizationMs");
        json.begin_array();
        for (const unsigned milliseconds : *dump.equalization_ms) {
            json.number(milliseconds);
        }
        json.end_array();
    }
    write_words(json, "buffers", dump.buffers);
    json.key("remarks");
    json.begin_array();
    for (const std::string& remark : dump.remarks) {
        json.string(remark);
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
