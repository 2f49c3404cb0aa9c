#include <render/escape.h>

#include <algorithm>
#include <cstdint>

#include <safety/error.h>

namespace barscope::tool {

namespace {

bool plain(char c) {
    return c >= 0x20 && c < 0x7f;
}

std::uint32_t code_point(std::string_view sequence) {
    const auto first = static_cast<unsigned char>(sequence[0]);
    const unsigned kept = sequence.size() == 2 ? 0x1f : (sequence.size() == 3 ? 0x0f : 0x07);
    std::uint32_t value = first & kept;
    for (const char c : sequence.substr(1)) {
        value = (value << 6) | (static_cast<unsigned char>(c) & 0x3f);
    }
    return value;
}

} // namespace

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const std::uint32_t code = code_point(text.substr(0, length));
    const bool overlong =
        (length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10ffff));
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return overlong || surrogate ? 0 : length;
}

void append_safe(std::string& out, std::string_view text) {
    if (std::all_of(text.begin(), text.end(), plain)) {
        out += text;
    } else {
        out += escaped(text);
    }
}

std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace barscope::tool
