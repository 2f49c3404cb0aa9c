#include "expression_parser_number.h"

#include <charconv>

namespace barscope::regmaps {

NumberProblem parse_number(std::string_view text, std::uint64_t& value) {
    int base = 10;
    std::string_view digits = text;
    if (text.size() > 1 && text[0] == '0') {
        if (text[1] == 'x' || text[1] == 'X') {
            base = 16;
        } else if (text[1] == 'b' || text[1] == 'B') {
            base = 2;
        } else {
            const bool octal_looking = text.find_first_not_of("0123456789") == std::string_view::npos;
            return octal_looking ? NumberProblem::leading_zero : NumberProblem::malformed;
        }
        digits.remove_prefix(2);
    }
    const char* const end = digits.data() + digits.size();
    const std::from_chars_result result = std::from_chars(digits.data(), end, value, base);
    if (result.ec == std::errc::result_out_of_range && result.ptr == end) {
        return NumberProblem::too_large;
    }
    return result.ec == std::errc{} && result.ptr == end ? NumberProblem::fine : NumberProblem::malformed;
}

std::string_view describe(NumberProblem problem) {
    switch (problem) {
    case NumberProblem::too_large:
        return "does not fit 64 bits";
    case NumberProblem::leading_zero:
        return "begins with 0, which could be meant as octal";
    case NumberProblem::malformed:
        return "is not a number in decimal, 0x hex or 0b binary";
    case NumberProblem::fine:
        break;
    }
    return "is a number";
}

} // namespace barscope::regmaps
