#include <fwlog/sequence.h>

namespace barscope::fwlog {

namespace {

// A counter of unknown width that was just below 2^16 or 2^32 and is small now has wrapped there.
constexpr std::uint64_t close = 1024;

bool wrapped_at(std::uint64_t last, std::uint64_t sequence, unsigned bits) {
    const std::uint64_t end = std::uint64_t{1} << bits;
    return last < end && end - last <= close && sequence < close;
}

unsigned width_of(std::uint64_t last, std::uint64_t sequence, unsigned bits) {
    if (bits != 0) {
        return bits;
    }
    return wrapped_at(last, sequence, 16) ? 16 : wrapped_at(last, sequence, 32) ? 32 : 64;
}

} // namespace

SequenceTracker::Result SequenceTracker::see(std::uint64_t sequence, unsigned bits) {
    if (!last_) {
        last_ = sequence;
        return {};
    }
    const std::uint64_t last = *last_;
    const unsigned width = width_of(last, sequence, bits);
    const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const std::uint64_t ahead = (sequence - last) & mask;
    Result result{.step = Step::next, .lost = 0, .wrapped = false, .after = last};
    if (ahead == 0) {
        result.step = Step::duplicate;
        return result;
    }
    if (ahead > mask / 2) {
        result.step = Step::backwards;
        last_ = sequence;
        return result;
    }
    result.wrapped = sequence < last;
    result.lost = ahead - 1;
    result.step = ahead == 1 ? Step::next : Step::gap;
    last_ = sequence;
    return result;
}

} // namespace barscope::fwlog
