#include <render/escape.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <safety/error.h>

namespace barscope::tool {

namespace {

// Eight bytes at once: one of them is below 0x20, 0x7f, or above it. A carry out of a byte comes from one
// that is odd itself.
bool holds_odd(std::uint64_t bytes) {
    constexpr std::uint64_t each = 0x0101010101010101, high = each * 0x80;
    return ((bytes | (bytes + each) | (bytes - each * 0x20)) & high) != 0;
}

bool all_plain(std::string_view text) {
    std::uint64_t bytes = 0;
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left >= sizeof bytes; at += sizeof bytes, left -= sizeof bytes) {
        std::memcpy(&bytes, at, sizeof bytes);
        if (holds_odd(bytes)) {
            return false;
        }
    }
    bytes = 0x2020202020202020;
    if (left != 0) { // an empty text may have no place at all
        std::memcpy(&bytes, at, left);
    }
    return !holds_odd(bytes);
}

} // namespace

void append_safe(std::string& out, std::string_view text) {
    if (all_plain(text)) {
        out += text;
    } else {
        out += escaped(text);
    }
}

void make_safe(std::string& out, std::size_t from) {
    if (const std::string_view text = std::string_view(out).substr(from); !all_plain(text)) {
        out.replace(from, std::string::npos, escaped(text));
    }
}

std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace barscope::tool
