#include <render/escape.h>

#include <algorithm>

#include <safety/error.h>

namespace barscope::tool {

namespace {

bool plain(char c) {
    return c >= 0x20 && c < 0x7f;
}

} // namespace

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
