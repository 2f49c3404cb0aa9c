// Numbers as the format writes them: decimal, 0x hex, 0b binary.
#pragma once

#include <cstdint>
#include <string_view>

namespace barscope::regmaps {

enum class NumberProblem : std::uint8_t { fine, malformed, leading_zero, too_large };

// The whole of `text` must be the number.
NumberProblem parse_number(std::string_view text, std::uint64_t& value);
// For people; what is wrong, as in "the number ... <text>".
std::string_view describe(NumberProblem problem);

} // namespace barscope::regmaps
