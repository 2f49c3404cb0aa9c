#include "pacing.h"

#include <algorithm>

namespace barscope::safety {

void Pacing::wait() {
    if (!active()) {
        return;
    }
    // A sleep ends some 50 us late: sleep for the most of it, then watch the clock.
    constexpr std::uint64_t sleep_is_late_by = 60'000;
    std::uint64_t now = system_.monotonic_ns();
    if (next_ > now + sleep_is_late_by) {
        system_.sleep_ns(next_ - now - sleep_is_late_by);
    }
    while (now < next_) {
        now = system_.monotonic_ns();
    }
    next_ = std::max(next_, now) + period_;
}

} // namespace barscope::safety
