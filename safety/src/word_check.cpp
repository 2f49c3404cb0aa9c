#include "word_check.h"

#include <algorithm>

namespace barscope::safety {

ForbiddenSet::ForbiddenSet(const std::vector<ForbiddenRange>& ranges) {
    std::vector<ForbiddenRange> sorted = ranges;
    std::sort(sorted.begin(), sorted.end(),
              [](const ForbiddenRange& a, const ForbiddenRange& b) { return a.begin < b.begin; });
    for (const ForbiddenRange& range : sorted) {
        if (range.begin >= range.end) {
            continue;
        }
        if (!ranges_.empty() && range.begin <= ranges_.back().end) {
            ranges_.back().end = std::max(ranges_.back().end, range.end);
        } else {
            ranges_.push_back(range);
        }
    }
}

bool ForbiddenSet::touches(std::uint64_t begin, std::uint64_t end) const {
    const auto after =
        std::lower_bound(ranges_.begin(), ranges_.end(), end,
                         [](const ForbiddenRange& r, std::uint64_t value) { return r.begin < value; });
    return after != ranges_.begin() && std::prev(after)->end > begin;
}

bool is_split(const WordRequest& word) {
    return word.split == Split::hi_lo_hi && word.width == 64;
}

unsigned load_width(const WordRequest& word) {
    return is_split(word) ? 32 : word.width;
}

std::uint64_t all_ones(unsigned width) {
    return width >= 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
}

bool matches_poison(const std::vector<Poison>& poison, unsigned width, std::uint64_t value) {
    return std::any_of(poison.begin(), poison.end(),
                       [&](const Poison& p) { return p.width == width && (value & p.mask) == p.pattern; });
}

WordCheck::WordCheck(const SpacePlan& plan, SourceBounds bounds, std::uint8_t source_widths)
    : forbidden_(plan.forbidden), bounds_(bounds), limit_(std::min(bounds.size, plan.size_limit)),
      legal_widths_(plan.legal_widths & source_widths) {}

bool WordCheck::width_is_legal(unsigned width) const {
    // A host of 32 bits would make two loads of a 64-bit one.
    constexpr unsigned widest = sizeof(void*) * 8;
    switch (width) {
    case 8:
        return (legal_widths_ & 1U) != 0;
    case 16:
        return (legal_widths_ & 2U) != 0;
    case 32:
        return (legal_widths_ & 4U) != 0;
    case 64:
        return (legal_widths_ & 8U) != 0 && widest >= 64;
    default:
        return false;
    }
}

WordStatus WordCheck::operator()(const WordRequest& word) const {
    if (word.action != ReadAction::none) {
        return word.action == ReadAction::unclaimed ? WordStatus::unclaimed : WordStatus::side_effect;
    }
    const unsigned width = load_width(word);
    if (!width_is_legal(width)) {
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

} // namespace barscope::safety
