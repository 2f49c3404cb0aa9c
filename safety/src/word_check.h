// Everything that is decided about a word before any load is made. Pure.
#pragma once

#include <vector>

#include <safety/access.h>

namespace barscope::safety {

// Byte ranges in ascending order without overlap, whatever order they came in.
class ForbiddenSet {
  public:
    explicit ForbiddenSet(const std::vector<ForbiddenRange>& ranges);
    bool touches(std::uint64_t begin, std::uint64_t end) const;

  private:
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
    WordStatus operator()(const WordRequest& word) const;

  private:
    bool width_is_legal(unsigned width) const;

    ForbiddenSet forbidden_;
    SourceBounds bounds_;
    std::uint64_t limit_;
    std::uint8_t legal_widths_;
};

bool is_split(const WordRequest& word);
// Width in bits of the loads that a word takes: half of it where it is split.
unsigned load_width(const WordRequest& word);
std::uint64_t all_ones(unsigned width);
bool matches_poison(const std::vector<Poison>& poison, unsigned width, std::uint64_t value);

} // namespace barscope::safety
