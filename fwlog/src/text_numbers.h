// Numbers within rows of text, independent of the locale. Each takes what it understood off the front of
// `text`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace barscope::fwlog {

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
inline int hex_value(char c) {
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}
inline bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// At least one digit; nothing on overflow.
inline std::optional<std::uint64_t> take_decimal(std::string_view& text) {
    constexpr std::size_t never_too_much = 19; // digits
    std::uint64_t value = 0;
    std::size_t used = 0;
    while (used < text.size() && is_digit(text[used])) {
        const auto digit = static_cast<std::uint64_t>(text[used] - '0');
        if (used >= never_too_much && value > (UINT64_MAX - digit) / 10) {
            return std::nullopt;
        }
        value = value * 10 + digit;
        ++used;
    }
    if (used == 0) {
        return std::nullopt;
    }
    text.remove_prefix(used);
    return value;
}

// With or without 0x; one to sixteen digits.
inline std::optional<std::uint64_t> take_hex(std::string_view& text) {
    std::string_view rest = text;
    if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X') && hex_value(rest[2]) >= 0) {
        rest.remove_prefix(2);
    }
    std::uint64_t value = 0;
    std::size_t used = 0;
    while (used < rest.size() && hex_value(rest[used]) >= 0) {
        if (value >> 60U != 0) {
            return std::nullopt;
        }
        value = value << 4U | static_cast<std::uint64_t>(hex_value(rest[used]));
        ++used;
    }
    if (used == 0) {
        return std::nullopt;
    }
    rest.remove_prefix(used);
    text = rest;
    return value;
}

inline bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}
inline void skip_blanks(std::string_view& text) {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) {
        text.remove_prefix(1);
    }
}
// Up to `end`, which is taken too; nothing, and nothing taken, where it does not occur.
inline std::optional<std::string_view> take_until(std::string_view& text, char end) {
    const std::size_t at = text.find(end);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view word = text.substr(0, at);
    text.remove_prefix(at + 1);
    return word;
}

} // namespace barscope::fwlog
