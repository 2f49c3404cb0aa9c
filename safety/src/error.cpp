#include <safety/error.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace barscope {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text`, 0 where there is none (RFC 3629: no
// overlong forms, no surrogates, nothing above U+10FFFF), and the code point.
struct Sequence {
    std::size_t length = 0;
    char32_t code = 0;
};

Sequence decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return {1, lead};
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) {
        return {};
    }
    char32_t code = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) {
            return {};
        }
        code = (code << 6U) | (byte(i) & 0x3fU);
    }
    static constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least.at(length) || surrogate || code > 0x10ffff ? Sequence{} : Sequence{length, code};
}

// Whatever ends a line, moves a terminal's cursor or turns the direction of writing round.
bool disturbs_a_line(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 || code == 0x2029 ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void append_escaped_byte(std::string& out, unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\x";
    out += digits[byte >> 4U];
    out += digits[byte & 0xfU];
}

} // namespace

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Sequence sequence = decode(text);
        const std::size_t taken = sequence.length == 0 ? 1 : sequence.length;
        if (sequence.length == 0 || disturbs_a_line(sequence.code)) {
            for (std::size_t i = 0; i < taken; ++i) {
                append_escaped_byte(out, static_cast<unsigned char>(text[i]));
            }
        } else {
            out += text.substr(0, taken);
        }
        text.remove_prefix(taken);
    }
    return out;
}

int exit_status(ErrorCode code) {
    switch (code) {
    case ErrorCode::usage:
        return 2;
    case ErrorCode::refused:
        return 3;
    case ErrorCode::absent:
        return 4;
    case ErrorCode::permission:
        return 5;
    case ErrorCode::bad_input:
        return 6;
    case ErrorCode::output:
        return 7;
    }
    return 2;
}

std::string_view name(ErrorCode code) {
    switch (code) {
    case ErrorCode::usage:
        return "usage";
    case ErrorCode::refused:
        return "refused";
    case ErrorCode::absent:
        return "absent";
    case ErrorCode::permission:
        return "permission";
    case ErrorCode::bad_input:
        return "bad-input";
    case ErrorCode::output:
        return "output";
    }
    return "usage";
}

std::string to_string(const Error& error) {
    std::string text = escaped(error.what);
    if (!error.where.empty()) {
        text += " (" + escaped(error.where) + ")";
    }
    if (!error.remedy.empty()) {
        text += "; " + escaped(error.remedy);
    }
    return text;
}

} // namespace barscope
