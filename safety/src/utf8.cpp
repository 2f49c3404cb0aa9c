#include <safety/utf8.h>

#include <array>

namespace barscope {

Utf8 decode_utf8(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return {1, lead};
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) {
        return {};
    }
    char32_t code = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) {
            return {};
        }
        code = (code << 6U) | (byte(i) & 0x3fU);
    }
    static constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least.at(length) || surrogate || code > 0x10ffff ? Utf8{} : Utf8{length, code};
}

bool disturbs_a_line(char32_t code) {
    struct Span {
        char32_t first, last;
    };
    // C0 and C1 controls; soft hyphen; the Arabic letter mark; zero-width characters and direction marks;
    // line separators and direction overrides; invisible operators and direction isolates; the byte order
    // mark (Unicode 15, chapter 23 and UAX 9).
    static constexpr std::array spans{Span{0x00, 0x1f},     Span{0x7f, 0x9f},     Span{0xad, 0xad},
                                      Span{0x61c, 0x61c},   Span{0x200b, 0x200f}, Span{0x2028, 0x202e},
                                      Span{0x2060, 0x206f}, Span{0xfeff, 0xfeff}};
    for (const Span& span : spans) {
        if (code >= span.first && code <= span.last) {
            return true;
        }
    }
    return false;
}

} // namespace barscope
