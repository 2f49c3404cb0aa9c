#include <safety/error.h>

#include <cstddef>

#include <safety/utf8.h>

namespace barscope {
namespace {

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
        const Utf8 sequence = decode_utf8(text);
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
