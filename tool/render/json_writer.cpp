#include <render/json_writer.h>

#include <algorithm>
#include <charconv>

#include <render/digits.h>
#include <safety/utf8.h>

namespace barscope::tool {

namespace {

bool needs_no_escape(char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void append_unicode_escape(std::string& out, char32_t code) {
    out += "\\u";
    append_hex_digits(out, code, 4);
}

void append_escape(std::string& out, char32_t c) {
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        append_unicode_escape(out, c);
    }
}

void append_ascii(std::string& out, char c) {
    static constexpr std::string_view plain = "\b\t\n\f\r\"\\";
    static constexpr std::string_view letters = "btnfr\"\\";
    if (const std::size_t at = plain.find(c); at != std::string_view::npos) {
        out += '\\';
        out += letters[at];
    } else if (static_cast<unsigned char>(c) < 0x20) {
        out += "\\u00";
        append_hex_digits(out, static_cast<unsigned char>(c), 2);
    } else {
        out += c;
    }
}

} // namespace

void append_canonical_string(std::string& out, std::string_view text) {
    out += '"';
    if (std::all_of(text.begin(), text.end(), needs_no_escape)) {
        out += text;
        out += '"';
        return;
    }
    while (!text.empty()) {
        const auto [length, code] = decode_utf8(text);
        if (length == 1) {
            append_ascii(out, text[0]);
        } else if (length > 1) {
            out += text.substr(0, length);
        } else {
            out += "\\\\x";
            append_hex_digits(out, static_cast<unsigned char>(text[0]), 2);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    out += '"';
}

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    if (std::all_of(text.begin(), text.end(), needs_no_escape)) {
        out += text;
        out += '"';
        return;
    }
    while (!text.empty()) {
        const auto [length, code] = decode_utf8(text);
        if (length == 1 && needs_no_escape(text[0])) {
            out += text[0];
        } else if (length == 1) {
            append_escape(out, code);
        } else if (length > 1 && disturbs_a_line(code)) {
            append_unicode_escape(out, code); // such characters all lie below U+10000
        } else if (length > 1) {
            out += text.substr(0, length);
        } else {
            // Not UTF-8, so not JSON: the byte stays visible as the text \xNN.
            out += "\\\\x";
            append_hex_digits(out, static_cast<unsigned char>(text[0]), 2);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    out += '"';
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (!first_) {
        out_ += break_ || canonical_ ? "," : ", ";
    }
    if (break_) {
        out_ += canonical_ ? "\n" : "\n ";
        break_ = false;
    }
    first_ = false;
}

void JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
}

void JsonWriter::close(char bracket) {
    out_ += bracket;
    first_ = false;
    break_ = false;
}

void JsonWriter::key(std::string_view name) {
    separate();
    append_text(name);
    out_ += canonical_ ? ":" : ": ";
    after_key_ = true;
}

void JsonWriter::string(std::string_view text) {
    separate();
    append_text(text);
}

void JsonWriter::append_text(std::string_view text) {
    if (canonical_) {
        append_canonical_string(out_, text);
    } else {
        append_json_string(out_, text);
    }
}

void JsonWriter::json(std::string_view text) {
    separate();
    out_ += text;
}

void JsonWriter::hex(std::uint64_t value, unsigned digits) {
    separate();
    out_ += '"';
    append_hex(out_, value, digits);
    out_ += '"';
}

void JsonWriter::number(std::uint64_t value) {
    separate();
    append_decimal(out_, value);
}

void JsonWriter::boolean(bool value) {
    separate();
    out_ += value ? "true" : "false";
}

void JsonWriter::null() {
    separate();
    out_ += "null";
}

} // namespace barscope::tool
