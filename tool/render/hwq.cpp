#include <render/hwq.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

constexpr std::size_t row_bytes = 16;
constexpr std::string_view hidden_text = "(kernel address, not shown; --show-pointers shows it)";

void append_head(std::string& out, const Style& style, const HwqObject& object) {
    style.begin(out, Ink::heading);
    out += name(object.kind);
    if (object.id || object.prefix) {
        out += ' ';
        append_decimal(out, object.id ? *object.id : *object.prefix);
    }
    out += "  ";
    append_safe(out, object.device);
    style.end(out, Ink::heading);
    out += '\n';
}

void append_values(std::string& out, const Style& style, const HwqObject& object, bool show_pointers) {
    std::size_t width = 0;
    std::size_t text_width = 0;
    for (const HwqValue& value : object.values) {
        width = std::max(width, columns(value.name));
        text_width = std::max(
            text_width, (value.hidden && !show_pointers) || value.note.empty() ? 0 : columns(value.text));
    }
    for (const bool driver : {false, true}) {
        for (const HwqValue& value : object.values) {
            if (value.driver != driver) {
                continue;
            }
            out += driver ? "  driver  " : "  core    ";
            append_safe(out, value.name);
            pad(out, columns(value.name), width + 2);
            if (value.hidden && !show_pointers) {
                style.put(out, Ink::dim, hidden_text);
            } else {
                append_safe(out, value.text);
                if (!value.note.empty()) {
                    pad(out, columns(value.text), text_width + 2);
                    style.put(out, Ink::dim, value.note);
                }
            }
            out += '\n';
        }
    }
}

void append_context(std::string& out, const HwqObject& object, bool full) {
    const auto set = static_cast<std::uint64_t>(std::count_if(object.context.begin(), object.context.end(),
                                                              [](std::uint8_t byte) { return byte != 0; }));
    out += "  hardware context of ";
    append_decimal(out, object.context.size());
    out += " bytes, ";
    append_decimal(out, set);
    out += " of them not zero; its layout is not public";
    out += full ? ":\n" : ", --full prints the bytes\n";
    for (std::size_t at = 0; full && at < object.context.size(); at += row_bytes) {
        out += "    ";
        append_hex(out, at, 4);
        out += ' ';
        for (std::size_t i = at; i < std::min(at + row_bytes, object.context.size()); ++i) {
            out += ' ';
            append_hex_digits(out, object.context[i], 2);
        }
        out += '\n';
    }
}

void write_object(JsonWriter& json, const HwqObject& object, const HwqView& view) {
    json.break_line();
    json.begin_object();
    json.member("kind", name(object.kind));
    json.member("device", object.device);
    if (object.id) {
        json.member_number("id", *object.id);
    }
    json.key("values");
    json.begin_array();
    for (const HwqValue& value : object.values) {
        json.begin_object();
        json.member("name", value.name);
        json.member("from", value.driver ? "driver" : "core");
        if (value.hidden && !view.show_pointers) {
            json.member_bool("hidden", true);
        } else {
            json.member("text", value.text);
        }
        if (!value.note.empty()) {
            json.member("note", value.note);
        }
        json.end_object();
    }
    json.end_array();
    if (object.raw) {
        std::string digits;
        for (const std::uint8_t byte : object.context) {
            append_hex_digits(digits, byte, 2);
        }
        json.member("context", digits);
        if (object.prefix) {
            json.member_number("prefixNumber", *object.prefix);
        }
    }
    json.key("remarks");
    json.begin_array();
    for (const std::string& remark : object.remarks) {
        json.string(remark);
    }
    json.end_array();
    json.end_object();
}

} // namespace

void render_hwq_text(Output& output, const Style& style, const std::vector<HwqObject>& objects,
                     const HwqView& view) {
    for (const std::string& source : view.sources) {
        output.text() += "from ";
        append_safe(output.text(), source);
        output.text() += '\n';
    }
    if (objects.empty()) {
        output.text() += "no queues and regions\n";
    }
    for (const HwqObject& object : objects) {
        std::string& out = output.text();
        out += '\n';
        append_head(out, style, object);
        append_values(out, style, object, view.show_pointers);
        if (object.raw) {
            append_context(out, object, view.full);
        }
        for (const std::string& remark : object.remarks) {
            out += "  ";
            append_safe(out, remark);
            out += '\n';
        }
        output.drain();
    }
}

void render_hwq_json(Output& output, const std::vector<HwqObject>& objects, const HwqView& view) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    json.key("sources");
    json.begin_array();
    for (const std::string& source : view.sources) {
        json.string(source);
    }
    json.end_array();
    json.break_line();
    json.key("objects");
    json.begin_array();
    for (const HwqObject& object : objects) {
        write_object(json, object, view);
        output.drain();
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
