// Everything that is decided about a word before any load is made. Pure.
#pragma once

#include <array>
#include <vector>

#include <safety/access.h>

namespace barscope::safety {

constexpr bool is_split(const WordRequest& word) {
    return word.split == Split::hi_lo_hi && word.width == 64;
}

// Width in bits of the loads that a word takes: half of it where it is split.
constexpr std::uint8_t load_width(const WordRequest& word) {
    return is_split(word) ? 32 : word.width;
}

// Byte ranges in ascending order without overlap, whatever order they came in.
class ForbiddenSet {
  public:
    explicit ForbiddenSet(const std::vector<ForbiddenRange>& ranges);
    bool touches(std::uint64_t begin, std::uint64_t end) const {
        return !ranges_.empty() && find(begin, end);
    }

  private:
    bool find(std::uint64_t begin, std::uint64_t end) const;

    std::vector<ForbiddenRange> ranges_;
};

struct SourceBounds {
    std::uint64_t size = 0;     // of the BAR or space: beyond it is out of range
    std::uint64_t readable = 0; // where the source really ends, at most `size`
};

class WordCheck {
  public:
    // `source_widths`: what the source can load at all, as in SpacePlan::legal_widths.
    WordCheck(const SpacePlan& plan, SourceBounds bounds, std::uint8_t source_widths = 0xf);
    // ok where the word may be loaded, otherwise why not.
    WordStatus operator()(const WordRequest& word) const {
        if (word.action != ReadAction::none) {
            return word.action == ReadAction::unclaimed ? WordStatus::unclaimed : WordStatus::side_effect;
        }
        const std::uint8_t width = load_width(word);
        if (!width_is_legal_[width]) {
            return WordStatus::illegal_width;
        }
        const std::uint64_t load_bytes = width / 8;
        if ((word.offset & (load_bytes - 1)) != 0) {
            return WordStatus::misaligned;
        }
        const std::uint64_t bytes = word.width / 8U;
        if (word.offset >= limit_ || limit_ - word.offset < bytes) {
            return WordStatus::out_of_range;
        }
        if (forbidden_.touches(word.offset, word.offset + bytes)) {
            return WordStatus::touches_forbidden;
        }
        if (word.offset >= bounds_.readable || bounds_.readable - word.offset < bytes) {
            return WordStatus::short_source;
        }
        return WordStatus::ok;
    }

  private:
    ForbiddenSet forbidden_;
    SourceBounds bounds_;
    std::uint64_t limit_;
    std::array<bool, 256> width_is_legal_{}; // by bits
};

std::uint64_t all_ones(unsigned width);
bool matches_poison(const std::vector<Poison>& poison, unsigned width, std::uint64_t value);

} // namespace barscope::safety
