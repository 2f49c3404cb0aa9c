#include "pacing.h"

#include <algorithm>

namespace barscope::safety {

bool Pacing::wait() {
    if (!active()) {
        return watch_ == nullptr || watch_->go_on();
    }
    // A sleep ends some 50 us late: sleep for the most of it, then watch the clock.
    constexpr std::uint64_t sleep_is_late_by = 60'000;
    std::uint64_t now = system_.monotonic_ns();
    if (next_ > now + sleep_is_late_by) {
        const std::uint64_t duration = next_ - now - sleep_is_late_by;
        if (watch_ == nullptr) {
            system_.sleep_ns(duration);
        } else if (!watch_->wait(duration)) {
            return false;
        }
    }
    while (now < next_) {
        now = system_.monotonic_ns();
    }
    next_ = std::max(next_, now) + period_;
    return watch_ == nullptr || watch_->go_on();
}

} // namespace barscope::safety
