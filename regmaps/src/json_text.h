// The characters of JSON texts: runs of plain ASCII, UTF-8 sequences and escapes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace barscope::regmaps {

// The first character from p on that is not printable ASCII, or is a quote or a backslash; end where there is
// none.
inline const char* skip_plain(const char* p, const char* end) {
    const auto special = [](unsigned char c) { return c < 0x20 || c >= 0x7f || c == '"' || c == '\\'; };
    if constexpr (std::endian::native == std::endian::little) {
        // Eight at a time: a byte's top bit is set in `found` where the byte is special. The lowest such byte
        // is right always; those above it may be wrong by a borrow and are not looked at.
        constexpr std::uint64_t ones = 0x0101010101010101;
        constexpr std::uint64_t tops = 0x8080808080808080;
        while (end - p >= 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, p, sizeof bytes);
            const std::uint64_t quote = bytes ^ ones * '"';
            const std::uint64_t backslash = bytes ^ ones * '\\';
            const std::uint64_t found =
                ((bytes - ones * 0x20) | (quote - ones) | (backslash - ones) | bytes) & tops;
            // A byte of 0x80 or more is special anyway, so no "and not the byte itself" is needed.
            if (found != 0) {
                return p + std::countr_zero(found) / 8;
            }
            p += 8;
        }
    }
    while (p != end && !special(static_cast<unsigned char>(*p))) {
        ++p;
    }
    return p;
}

// Steps over one UTF-8 sequence. Returns what is wrong with it, or nullptr.
const char* skip_utf8(const char*& p, const char* end);

// Decodes the escape that begins at p and steps over it. Returns what is wrong with it, or nullptr.
const char* unescape(const char*& p, const char* end, std::string& out);

} // namespace barscope::regmaps
