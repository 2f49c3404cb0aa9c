// The characters of texts from outside.
#pragma once

#include <cstddef>
#include <string_view>

namespace barscope {

// The well-formed UTF-8 sequence at the start of a text (RFC 3629: no overlong forms, no surrogates, nothing
// above U+10FFFF): its length, 0 where there is none, and its code point.
struct Utf8 {
    std::size_t length = 0;
    char32_t code = 0;
};
Utf8 decode_utf8(std::string_view text); // not empty

// Whatever ends a line, moves a terminal's cursor, turns the direction of writing round or is not seen at
// all.
bool disturbs_a_line(char32_t code);

} // namespace barscope
