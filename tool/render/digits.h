// Numbers into text without locale or allocation: a dump prints a hundred thousand of them.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace barscope::tool {

inline unsigned hex_length(std::uint64_t value) {
    unsigned digits = 1;
    while (digits < 16 && value >> (4 * digits) != 0) {
        ++digits;
    }
    return digits;
}

// Exactly `digits` digits, at most 16, no prefix.
inline void append_hex_digits(std::string& out, std::uint64_t value, unsigned digits) {
    constexpr char symbols[] = "0123456789abcdef";
    for (unsigned shift = 4 * (digits < 16 ? digits : 16); shift > 0;) {
        shift -= 4;
        out.push_back(symbols[value >> shift & 0xf]);
    }
}

// "0x2a", at least `digits` digits.
inline void append_hex(std::string& out, std::uint64_t value, unsigned digits = 1) {
    out.append("0x", 2);
    const unsigned needed = hex_length(value);
    append_hex_digits(out, value, needed > digits ? needed : digits);
}

inline void append_decimal(std::string& out, std::uint64_t value) {
    char text[20];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    out.append(text, end);
}

// Spaces up to column `width` for something that took `used` columns; at least `least`.
inline void pad(std::string& out, std::size_t used, std::size_t width, std::size_t least = 0) {
    out.append(used + least < width ? width - used : least, ' ');
}

} // namespace barscope::tool
