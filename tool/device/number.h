// Numbers as people type them: decimal, 0x hex, 0b binary. Independent of the locale; nothing is skipped or
// guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace barscope::tool {

// Nothing where the text is not exactly one number that fits 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text);
// Seconds with up to nine decimals ("2", "0.25"), as nanoseconds: more than 0, at most a day.
std::optional<std::uint64_t> parse_seconds(std::string_view text);
// Digits of this base without a prefix, at least one.
std::optional<std::uint64_t> parse_digits(std::string_view digits, int base);
// Hex digits without a prefix, at least one.
std::optional<std::uint64_t> parse_hex(std::string_view digits);

} // namespace barscope::tool
