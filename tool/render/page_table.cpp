#include <render/page_table.h>

#include <render/digits.h>
#include <render/identity.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

constexpr unsigned address_digits = 16;
constexpr std::size_t shortest_run = 4;

std::string marks(const PageEntry& entry) {
    std::string text = entry.valid ? "valid" : "not valid";
    text += entry.next_to_last ? ", next to last" : "";
    text += entry.last ? ", last" : "";
    return text;
}

bool same_marks(const PageEntry& a, const PageEntry& b) {
    return a.valid == b.valid && a.last == b.last && a.next_to_last == b.next_to_last;
}

// Entries from `begin` on whose pages lie equally far apart and are marked alike.
std::size_t run_length(const std::vector<PageEntry>& entries, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < entries.size() && same_marks(entries[begin], entries[end]) &&
           (end == begin + 1 || entries[end].address - entries[end - 1].address ==
                                    entries[begin + 1].address - entries[begin].address)) {
        ++end;
    }
    return end - begin;
}

void append_page(std::string& out, const PageEntry& entry, std::string_view indent) {
    out += indent;
    out += "PTE ";
    append_decimal(out, entry.index);
    out += "  page ";
    append_hex(out, entry.address, address_digits);
    out += "  " + marks(entry) + '\n';
}

void append_run(std::string& out, const std::vector<PageEntry>& entries, std::size_t begin, std::size_t count,
                std::string_view indent) {
    const PageEntry& first = entries[begin];
    const PageEntry& last = entries[begin + count - 1];
    out += indent;
    out += "PTE ";
    append_decimal(out, first.index);
    out += " to ";
    append_decimal(out, last.index);
    out += "  pages ";
    append_hex(out, first.address, address_digits);
    out += " to ";
    append_hex(out, last.address, address_digits);
    out += ", ";
    append_hex(out, entries[begin + 1].address - first.address);
    out += " apart  " + marks(first) + '\n';
}

void append_table(Output& output, const Style& style, const PageTable& table, bool full) {
    std::string& out = output.text();
    std::string_view indent;
    if (table.directory) {
        std::string head = "PDE ";
        append_decimal(head, table.directory->index);
        head += "  table ";
        append_hex(head, table.directory->address, address_digits);
        head += table.directory->valid ? "  valid" : "  not valid";
        head += "  (bytes ";
        append_hex(head, table.at);
        head += " on)";
        style.put(out, Ink::heading, head);
        out += '\n';
        indent = "  ";
    }
    for (std::size_t i = 0; i < table.entries.size();) {
        const std::size_t run = full ? 1 : run_length(table.entries, i);
        if (run >= shortest_run) {
            append_run(out, table.entries, i, run, indent);
            i += run;
        } else {
            append_page(out, table.entries[i++], indent);
        }
        output.drain();
    }
    if (table.unused != 0) {
        out += indent;
        append_decimal(out, table.unused);
        out += " entries behind are zero\n";
    }
}

void write_entry(JsonWriter& json, const PageEntry& entry, bool page) {
    json.member_number("index", entry.index);
    json.member_hex("address", entry.address, address_digits);
    json.member_bool("valid", entry.valid);
    if (page) {
        json.member_bool("last", entry.last);
        json.member_bool("nextToLast", entry.next_to_last);
    }
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
    json.key(name);
    json.begin_array();
    for (const std::string& text : texts) {
        json.string(text);
    }
    json.end_array();
}

} // namespace

void render_pages_text(Output& output, const Style& style, const regmaps::RegisterMap& map,
                       const PastedSet& set, const PageWalk& walk, bool full) {
    std::string& out = output.text();
    style.begin(out, Ink::heading);
    append_map(out, map);
    style.end(out, Ink::heading);
    out += "\ninput: " + set.form + ", ";
    append_decimal(out, set.bytes.size());
    out += " bytes; addresses are the device's (DMA addresses)\n";
    if (walk.directory_pages > 1) {
        out += "the directory takes ";
        append_decimal(out, walk.directory_pages);
        out += " pages\n";
    }
    for (const PageTable& table : walk.tables) {
        append_table(output, style, table, full);
    }
    append_decimal(out, walk.pages);
    out += " pages in ";
    append_decimal(out, walk.tables.size());
    out += walk.tables.size() == 1 ? " table\n" : " tables\n";
    for (const std::string& remark : walk.remarks) {
        out += remark + '\n';
    }
    for (const std::string& problem : walk.problems) {
        style.put(out, Ink::warning, problem);
        out += '\n';
    }
}

void render_pages_json(Output& output, const regmaps::RegisterMap& map, const PastedSet& set,
                       const PageWalk& walk) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_map(json, map);
    json.member("input", set.form);
    if (walk.directory_pages != 0) {
        json.member_number("directoryPages", walk.directory_pages);
    }
    json.key("tables");
    json.begin_array();
    for (const PageTable& table : walk.tables) {
        json.break_line();
        json.begin_object();
        if (table.directory) {
            json.key("directory");
            json.begin_object();
            write_entry(json, *table.directory, false);
            json.end_object();
        }
        json.member_hex("at", table.at);
        json.member_number("unused", table.unused);
        json.key("entries");
        json.begin_array();
        for (const PageEntry& entry : table.entries) {
            json.break_line();
            json.begin_object();
            write_entry(json, entry, true);
            json.end_object();
            output.drain();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
    json.break_line();
    json.member_number("pages", walk.pages);
    write_texts(json, "remarks", walk.remarks);
    write_texts(json, "problems", walk.problems);
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
