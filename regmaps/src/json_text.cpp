#include "json_text.h"

#include <safety/utf8.h>

namespace barscope::regmaps {

namespace {

constexpr const char* bad_utf8 = "not valid UTF-8";
constexpr const char* bad_escape = "not an escape that JSON has";
constexpr const char* bad_hex = "expected four hex digits behind \\u";
constexpr const char* bad_surrogate = "half of a surrogate pair";
constexpr const char* control = "a control character in a text";
constexpr const char* unseen = "a character in a text that is not seen or turns the direction of writing";

// What a text may not hold, because a map's texts end up on terminals; nullptr for all else.
const char* forbidden(std::uint32_t code) {
    if (code == '\t' || code == '\n' || !disturbs_a_line(code)) {
        return nullptr;
    }
    return code < 0xa0 ? control : unseen;
}

void append_utf8(std::uint32_t code, std::string& out) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | code >> 6);
        put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

// Four hex digits at p.
bool read_hex4(const char* p, const char* end, std::uint32_t& code) {
    if (end - p < 4) {
        return false;
    }
    code = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = p[i];
        std::uint32_t digit = 0;
        if (c >= '0' && c <= '9') {
            digit = static_cast<std::uint32_t>(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            digit = static_cast<std::uint32_t>(c - 'a' + 10);
        } else if (c >= 'A' && c <= 'F') {
            digit = static_cast<std::uint32_t>(c - 'A' + 10);
        } else {
            return false;
        }
        code = code << 4 | digit;
    }
    return true;
}

// \uXXXX, or two of them for a character beyond the first 65,536; p is at the backslash.
const char* unescape_unicode(const char*& p, const char* end, std::string& out) {
    std::uint32_t code = 0;
    if (!read_hex4(p + 2, end, code)) {
        return bad_hex;
    }
    std::size_t length = 6;
    if (code >= 0xdc00 && code < 0xe000) {
        return bad_surrogate;
    }
    if (code >= 0xd800 && code < 0xdc00) {
        std::uint32_t low = 0;
        if (end - p < 12 || p[6] != '\\' || p[7] != 'u' || !read_hex4(p + 8, end, low) || low < 0xdc00 ||
            low >= 0xe000) {
            return bad_surrogate;
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        length = 12;
    }
    if (const char* problem = forbidden(code)) {
        return problem;
    }
    append_utf8(code, out);
    p += length;
    return nullptr;
}

} // namespace

const char* skip_utf8(const char*& p, const char* end) {
    const auto byte = [&](std::ptrdiff_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(p[i]));
    };
    const std::uint32_t first = byte(0);
    // Lead bytes 0xc0, 0xc1 (overlong) and 0xf5 to 0xff (beyond U+10FFFF) do not occur.
    const std::ptrdiff_t length = first < 0xc2   ? 0
                                  : first < 0xe0 ? 2
                                  : first < 0xf0 ? 3
                                  : first < 0xf5 ? 4
                                                 : 0;
    if (length == 0 || end - p < length) {
        return bad_utf8;
    }
    std::uint32_t code = first & (0x7fU >> length);
    for (std::ptrdiff_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return bad_utf8;
        }
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (overlong || surrogate || code > 0x10ffff) {
        return bad_utf8;
    }
    if (const char* problem = forbidden(code)) {
        return problem;
    }
    p += length;
    return nullptr;
}

const char* unescape(const char*& p, const char* end, std::string& out) {
    if (end - p < 2) {
        return bad_escape;
    }
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
        out += p[1];
        break;
    case 'n':
        out += '\n';
        break;
    case 't':
        out += '\t';
        break;
    case 'b':
    case 'f':
    case 'r':
        return control;
    case 'u':
        return unescape_unicode(p, end, out);
    default:
        return bad_escape;
    }
    p += 2;
    return nullptr;
}

} // namespace barscope::regmaps
