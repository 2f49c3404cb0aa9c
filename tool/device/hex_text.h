// Bytes from what people have: a binary file, or the text that a dump program printed. Forms are told apart
// by content; what cannot be told apart is an error that names the option which decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

enum class InputForm {
    automatic,
    binary,
    bytes,     // hex digits are bytes in memory order
    words,     // each group of digits is a little-endian number
    big_words, // each group of digits is a big-endian number: the same digits as `bytes`, said so
};

struct InputBytes {
    std::vector<std::uint8_t> bytes;
    std::string form; // what was recognised: "xxd rows (bytes in memory order)"
};

// `limit`: the most bytes that repeated rows ("*") may grow to.
Result<InputBytes> parse_input(std::string_view content, InputForm form, std::size_t limit,
                               const std::string& where);

} // namespace barscope::tool
