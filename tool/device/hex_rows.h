// Lines of a hex dump taken apart: the offset in front, the groups of digits, the characters behind them.
// What the offsets' base is and in which order a group's bytes lie is for hex_text.h to find out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

struct HexRow {
    std::size_t line = 0;
    std::string_view offset; // digits; empty: none
    std::vector<std::string_view> groups;
    std::string_view ascii; // one character a byte; empty: none
    bool repeats = false;   // "*": the row before again, up to the next offset
    bool prefixed = false;  // groups were written with 0x
};

// The bases in which dump programs print offsets: od has all three.
inline constexpr std::array<int, 3> offset_bases{16, 8, 10};

// How rows of one text look: the same for all of them.
struct HexShape {
    bool offsets = false; // each row begins with its offset
    bool colon = false;   // with a colon behind it, as xxd and the kernel print it
};

struct HexRows {
    HexShape shape;
    std::vector<HexRow> rows; // views into the text; a last row of an offset alone is the total length
};

// Only hex digits, white space and what dumps put between: nothing but text that might be a dump.
bool looks_like_text(std::string_view content);

Result<HexRows> split_hex_rows(std::string_view text, const std::string& where);

} // namespace barscope::tool
