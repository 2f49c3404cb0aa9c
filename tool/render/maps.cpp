#include <render/maps.h>

#include <algorithm>

#include <capture/names.h>
#include <render/digits.h>
#include <render/escape.h>
#include <render/explanation.h>
#include <render/identity.h>
#include <render/json_writer.h>
#include <render/table.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

std::string counted(std::size_t count, std::string_view what) {
    std::string text;
    append_decimal(text, count);
    text += ' ';
    text += what;
    return text;
}

std::string counts_of(const RegisterMap& map) {
    return counted(map.registers.size(), "registers, ") + counted(map.fields.size(), "fields, ") +
           counted(map.structures.size(), "structures, ") + counted(map.derived.size(), "derived values, ") +
           counted(map.checks.size(), "checks");
}

void append_heading(std::string& out, const Style& style, std::string_view heading) {
    out += '\n';
    style.put(out, Ink::heading, heading);
    out += '\n';
}

std::string offset_text(const regmaps::Register& reg) {
    std::string text;
    if (reg.block != none) {
        text = "+";
    }
    append_hex(text, reg.offset, 3);
    return text;
}

void append_registers(std::string& out, const Style& style, const RegisterMap& map) {
    for (Index space = 0; space < map.spaces.size(); ++space) {
        append_heading(out, style,
                       std::string(map.text(map.spaces[space].name)) + "  " +
                           place_text(map, map.spaces[space]));
        Table table({});
        for (Index i = 0; i < map.registers.size(); ++i) {
            const regmaps::Register& reg = map.registers[i];
            if (reg.space != space) {
                continue;
            }
            std::string name = definition_name(map, i);
            if (reg.array.count != none) {
                name += "[" + expression_text(map, reg.array.count) + "]";
            }
            table.add(
                {{"  " + offset_text(reg)},
                 {std::to_string(reg.width)},
                 {std::move(name)},
                 {access_text(reg), reg.read_action == regmaps::ReadAction::none ? Ink::plain : Ink::dim},
                 {escaped(map.text(reg.title))}});
        }
        table.append(out, style);
    }
}

} // namespace

void render_map_list_text(Output& output, const Style& style,
                          const std::vector<regmaps::CatalogEntry>& entries) {
    Table table({"NAME", "VERSION", "FROM", "TITLE"});
    for (const regmaps::CatalogEntry& entry : entries) {
        table.add({{escaped(entry.name)},
                   {escaped(entry.version)},
                   {escaped(entry.origin) + (entry.overrides ? " (overrides another)" : "")},
                   {escaped(entry.title)}});
    }
    table.append(output.text(), style);
}

void render_map_list_json(Output& output, const std::vector<regmaps::CatalogEntry>& entries,
                          const std::vector<Error>& broken) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    json.key("maps");
    json.begin_array();
    for (const regmaps::CatalogEntry& entry : entries) {
        json.break_line();
        json.begin_object();
        json.member("name", entry.name);
        json.member("version", entry.version);
        json.member("title", entry.title);
        json.member("origin", entry.origin);
        json.member_bool("overrides", entry.overrides);
        json.end_object();
    }
    json.end_array();
    json.break_line();
    json.key("broken");
    json.begin_array();
    for (const Error& error : broken) {
        write_error(json, error);
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

void render_map_text(Output& output, const Style& style, const RegisterMap& map) {
    std::string& out = output.text();
    style.begin(out, Ink::heading);
    append_map(out, map);
    out += ": ";
    append_safe(out, map.title);
    style.end(out, Ink::heading);
    out += '\n';
    out += counts_of(map);
    out += '\n';
    for (const regmaps::Text source : map.sources) {
        out += "source: ";
        append_safe(out, map.text(source));
        out += '\n';
    }
    append_registers(out, style, map);
    if (!map.structures.empty()) {
        append_heading(out, style, "structures");
        Table table({});
        for (const regmaps::Structure& structure : map.structures) {
            table.add({{"  " + std::string(map.text(structure.name))},
                       {std::to_string(structure.size) + " bytes"},
                       {escaped(map.text(structure.title))}});
        }
        table.append(out, style);
    }
    if (!map.checks.empty()) {
        append_heading(out, style, "checks");
        Table table({});
        for (const regmaps::Check& check : map.checks) {
            table.add({{"  " + std::string(map.text(check.name))}, {expression_text(map, check.expect)}});
        }
        table.append(out, style);
    }
}

CheckedMap summary_of(const std::string& file, const RegisterMap& map) {
    return {file, std::string(map.name), std::string(map.version), counts_of(map), std::nullopt};
}

void render_checked_maps_text(Output& output, const Style& style, const std::vector<CheckedMap>& maps) {
    std::string& out = output.text();
    for (const CheckedMap& map : maps) {
        if (map.error) {
            continue; // told on standard error
        }
        style.put(out, Ink::good, "ok");
        out += "  ";
        append_safe(out, map.file);
        out += ": map ";
        append_safe(out, map.name);
        out += ' ';
        append_safe(out, map.version);
        out += ", ";
        out += map.counts;
        out += '\n';
    }
}

void render_checked_maps_json(Output& output, const std::vector<CheckedMap>& maps) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    json.key("files");
    json.begin_array();
    for (const CheckedMap& map : maps) {
        json.break_line();
        json.begin_object();
        json.member("file", map.file);
        json.member_bool("ok", !map.error);
        if (map.error) {
            json.key("error");
            write_error(json, *map.error);
        } else {
            json.member("name", map.name);
            json.member("version", map.version);
            json.member("holds", map.counts);
        }
        json.end_object();
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
