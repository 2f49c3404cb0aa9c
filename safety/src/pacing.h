// At most so many loads a second, without bursts after a pause.
#pragma once

#include <cstdint>

#include "system.h"

namespace barscope::safety {

class Pacing {
  public:
    Pacing(System& system, std::uint32_t max_rate)
        : system_(system), period_(max_rate == 0 ? 0 : (1'000'000'000U + max_rate - 1) / max_rate) {}
    bool active() const { return period_ != 0; }
    // Returns when the next load may be made.
    void wait();

  private:
    System& system_;
    std::uint64_t period_; // ns
    std::uint64_t next_ = 0;
};

} // namespace barscope::safety
