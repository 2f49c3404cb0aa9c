#include <device/number.h>

#include <charconv>

namespace barscope::tool {

std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    if (digits.empty() || error != std::errc{} || stop != end) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::uint64_t> parse_hex(std::string_view digits) {
    return parse_digits(digits, 16);
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
    if (text.size() > 2 && text[0] == '0') {
        if (text[1] == 'x' || text[1] == 'X') {
            return parse_hex(text.substr(2));
        }
        if (text[1] == 'b' || text[1] == 'B') {
            return parse_digits(text.substr(2), 2);
        }
    }
    if (text.size() > 1 && text[0] == '0') {
        return std::nullopt; // "0010" may be meant as hex: not guessed
    }
    return parse_digits(text, 10);
}

} // namespace barscope::tool
