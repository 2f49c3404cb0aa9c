// The characters of JSON texts: runs of plain ASCII, UTF-8 sequences and escapes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace barscope::regmaps {

// The first character from p on that is not printable ASCII, or is a quote or a backslash; end where there is
// none.
inline const char* skip_plain(const char* p, const char* end) {
    const auto special = [](unsigned char c) { return c < 0x20 || c >= 0x7f || c == '"' || c == '\\'; };
#ifdef __SSE2__
    while (end - p >= 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const __m128i control =
            _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)); // and 0x80 or more: they are negative
        const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
        const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        const __m128i del = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f));
        const int found =
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(control, quote), _mm_or_si128(backslash, del)));
        if (found != 0) {
            return p + std::countr_zero(static_cast<unsigned>(found));
        }
        p += 16;
    }
#endif
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
