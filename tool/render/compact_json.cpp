#include <render/compact_json.h>

#include <algorithm>

#include <render/digits.h>
#include <safety/utf8.h>

namespace barscope::tool {

namespace {

bool stands_for_itself(char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
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
    if (std::all_of(text.begin(), text.end(), stands_for_itself)) {
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

void CompactJson::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (!first_) {
        out_ += ',';
    }
    if (break_) {
        out_ += '\n';
        break_ = false;
    }
    first_ = false;
}

void CompactJson::open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
}

void CompactJson::close(char bracket) {
    out_ += bracket;
    first_ = false;
    break_ = false;
}

void CompactJson::key(std::string_view name) {
    separate();
    append_canonical_string(out_, name);
    out_ += ':';
    after_key_ = true;
}

void CompactJson::string(std::string_view text) {
    separate();
    append_canonical_string(out_, text);
}

void CompactJson::hex(std::uint64_t value, unsigned digits) {
    separate();
    out_ += '"';
    append_hex(out_, value, digits);
    out_ += '"';
}

void CompactJson::number(std::uint64_t value) {
    separate();
    append_decimal(out_, value);
}

void CompactJson::boolean(bool value) {
    separate();
    out_ += value ? "true" : "false";
}

void CompactJson::null() {
    separate();
    out_ += "null";
}

void CompactJson::json(std::string_view text) {
    separate();
    out_ += text;
}

} // namespace barscope::tool
