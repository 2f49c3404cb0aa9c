#include "plain_scanner.h"

#include <bit>
#include <cstring>
#include <optional>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "row_header.h"

namespace barscope::fwlog {

void fill(Record& record, const PlainRows& rows, std::size_t which) {
    const PlainRow& row = rows.rows[which];
    record.clear();
    record.line = rows.first_line + which;
    record.raw = row.raw();
    record.source = rows.source;
    record.message = row.message();
    std::string_view stamp = row.raw().substr(1);
    record.time_ns = take_stamp(stamp, record.time_text);
    record.clock = Clock::kernel_monotonic;
}

#ifdef __SSE2__

namespace {

constexpr std::size_t block = 16;
constexpr std::size_t margin =
    4 * block; // a row that begins nearer to the end of the bytes is left to others

class Block {
  public:
    explicit Block(const char* at) : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))) {}

    unsigned equal(const Block& other) const { return mask(_mm_cmpeq_epi8(bytes_, other.bytes_)); }
    unsigned equal(char c) const { return mask(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c))); }
    unsigned digits() const {
        const __m128i low = _mm_cmpgt_epi8(bytes_, _mm_set1_epi8('0' - 1));
        return mask(_mm_and_si128(low, _mm_cmplt_epi8(bytes_, _mm_set1_epi8('9' + 1))));
    }
    // Below a blank (bytes from 0x80 on are negative here), or DEL.
    unsigned unprintable() const {
        return mask(_mm_or_si128(_mm_cmplt_epi8(bytes_, _mm_set1_epi8(' ')),
                                 _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(0x7f))));
    }

  private:
    static unsigned mask(__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); }
    __m128i bytes_;
};

std::optional<std::uint64_t> nanoseconds(std::string_view stamp) {
    std::string_view written;
    return take_stamp(stamp, written);
}

// The stamps of rows, "[  978.631877] ". Those of one shape, with digits in the same places, follow each
// other as their digits do.
class Stamps {
  public:
    explicit Stamps(std::uint64_t not_before) : not_before_(not_before) {}

    // False where the row has no stamp, or one earlier than the one before.
    bool advance(std::string_view row) {
        const Block bytes(row.data());
        const unsigned digits = bytes.digits();
        if (width_ == 0 || ((digits ^ digits_) & shape_) != 0) {
            return parse(row, digits);
        }
        const unsigned differ = ~bytes.equal(Block(last_)) & shape_;
        if ((differ & ~digits_) != 0 || row[width_ - 2] != ']' || row[width_ - 1] != ' ') {
            return parse(row, digits);
        }
        const auto first = static_cast<unsigned>(std::countr_zero(differ | 1U << block));
        if (first < block && row[first] < last_[first]) {
            return false;
        }
        last_ = row.data();
        return true;
    }
    std::size_t width() const { return width_; } // with "] "
    std::uint64_t first_ns() const { return first_ns_; }
    std::uint64_t last_ns() const { return width_ == 0 ? not_before_ : *nanoseconds({last_ + 1, width_}); }

  private:
    static constexpr std::size_t widest = 18; // "[12345678.123456] "

    bool parse(std::string_view row, unsigned digits) {
        const std::size_t close = row.substr(0, widest).find("] ");
        const auto ns = row[0] != '[' || close == std::string_view::npos ? std::nullopt
                                                                         : nanoseconds(row.substr(1, close));
        if (!ns || *ns < last_ns()) {
            return false;
        }
        first_ns_ = width_ == 0 ? *ns : first_ns_;
        width_ = close + 2;
        last_ = row.data();
        digits_ = digits;
        shape_ = width_ - 2 >= block ? 0xffffU : (1U << (width_ - 2)) - 1;
        return true;
    }

    std::uint64_t not_before_, first_ns_ = 0;
    const char* last_ = nullptr;
    unsigned digits_ = 0, shape_ = 0; // where digits are, and which of the first sixteen bytes count
    std::size_t width_ = 0;
};

// "host kernel: ..." is journalctl's, and "Linux version" may begin another boot.
bool is_special(const char* message, std::string_view rest) {
    constexpr std::string_view speaker = "kernel: ", boot = "Linux version ";
    const unsigned blanks = Block(message).equal(' ');
    const std::size_t blank =
        blanks != 0 ? static_cast<std::size_t>(std::countr_zero(blanks)) : rest.find(' ');
    return (blank < rest.size() && rest.substr(blank + 1).starts_with(speaker)) || rest.starts_with(boot) ||
           rest.starts_with(speaker);
}

// Where the row ends; nothing where its line break is not among the bytes. Most rows end within the first
// four blocks, which are looked at together: where exactly a row ends cannot be foreseen by the processor.
const char* find_end(const char* at, const char* end, bool& ascii) {
    for (; static_cast<std::size_t>(end - at) >= margin; at += margin) {
        std::uint64_t odd = 0;
        for (std::size_t i = 0; i < margin / block; ++i) {
            odd |= std::uint64_t{Block(at + i * block).unprintable()} << i * block;
        }
        if (odd != 0) {
            at += std::countr_zero(odd);
            ascii = *at == '\n';
            const auto left = static_cast<std::size_t>(end - at);
            return ascii ? at : static_cast<const char*>(std::memchr(at, '\n', left));
        }
    }
    return nullptr;
}

} // namespace

PlainFound find_plain(std::string_view bytes, std::uint64_t last_ns, const PatternSet& patterns,
                      std::size_t longest, std::span<PlainRow> out) {
    PlainFound found;
    Stamps stamps(last_ns);
    const char* const end = bytes.data() + bytes.size();
    const char* row = bytes.data();
    while (found.count < out.size() && static_cast<std::size_t>(end - row) > margin &&
           stamps.advance({row, margin})) {
        const char* const message = row + stamps.width();
        bool ascii = false;
        const char* const line_end = find_end(message, end, ascii);
        if (line_end == nullptr || line_end == message || line_end[-1] == '\r' ||
            static_cast<std::size_t>(line_end - row) >= longest) {
            break;
        }
        const std::string_view rest(message, static_cast<std::size_t>(line_end - message));
        const bool known =
            patterns.may_concern(message) && patterns.concerns(rest) && patterns.may_match(rest);
        if (known || is_special(message, rest)) {
            break;
        }
        out[found.count++] = {.begin = row,
                              .size = static_cast<std::uint32_t>(line_end - row),
                              .message_at = static_cast<std::uint8_t>(stamps.width()),
                              .ascii = ascii};
        row = line_end + 1;
    }
    found.bytes = static_cast<std::size_t>(row - bytes.data());
    found.first_ns = found.last_ns = last_ns;
    if (found.count != 0) {
        found.first_ns = stamps.first_ns();
        found.last_ns = *nanoseconds(out[found.count - 1].raw().substr(1));
    }
    return found;
}

#else

PlainFound find_plain(std::string_view, std::uint64_t last_ns, const PatternSet&, std::size_t,
                      std::span<PlainRow>) {
    return {.count = 0, .bytes = 0, .first_ns = last_ns, .last_ns = last_ns};
}

#endif

} // namespace barscope::fwlog
