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

bool ForbiddenSet::find(std::uint64_t begin, std::uint64_t end) const {
    const auto after =
        std::lower_bound(ranges_.begin(), ranges_.end(), end,
                         [](const ForbiddenRange& r, std::uint64_t value) { return r.begin < value; });
    return after != ranges_.begin() && std::prev(after)->end > begin;
}

std::uint64_t all_ones(unsigned width) {
    return width >= 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
}

bool matches_poison(const std::vector<Poison>& poison, unsigned width, std::uint64_t value) {
    return std::any_of(poison.begin(), poison.end(),
                       [&](const Poison& p) { return p.width == width && (value & p.mask) == p.pattern; });
}

WordCheck::WordCheck(const SpacePlan& plan, SourceBounds bounds, std::uint8_t source_widths)
    : forbidden_(plan.forbidden), bounds_(bounds), limit_(std::min(bounds.size, plan.size_limit)) {
    const unsigned legal = plan.legal_widths & source_widths;
    width_is_legal_[8] = (legal & 1U) != 0;
    width_is_legal_[16] = (legal & 2U) != 0;
    width_is_legal_[32] = (legal & 4U) != 0;
    // A host of 32 bits would make two loads of a 64-bit one.
    width_is_legal_[64] = (legal & 8U) != 0 && sizeof(void*) >= sizeof(std::uint64_t);
}

} // namespace barscope::safety
