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

std::optional<std::uint64_t> parse_seconds(std::string_view text) {
    constexpr std::uint64_t second = 1'000'000'000;
    constexpr std::uint64_t day = 86'400;
    const std::size_t point = text.find('.');
    const auto whole = parse_digits(text.substr(0, point), 10);
    const std::string_view decimals = point == std::string_view::npos ? "0" : text.substr(point + 1);
    auto fraction = parse_digits(decimals, 10);
    if (!whole || !fraction || decimals.size() > 9 || *whole > day) {
        return std::nullopt;
    }
    for (std::size_t i = decimals.size(); i < 9; ++i) {
        *fraction *= 10;
    }
    const std::uint64_t ns = *whole * second + *fraction;
    return ns == 0 || ns > day * second ? std::nullopt : std::optional(ns);
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
