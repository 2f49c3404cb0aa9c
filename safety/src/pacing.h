// At most so many loads a second, without bursts after a pause.
#pragma once

#include <cstdint>

#include <safety/access.h>

#include "system.h"

namespace barscope::safety {

class Pacing {
  public:
    Pacing(System& system, const ReadOptions& options) : Pacing(system, options.max_rate, options.watch) {}
    Pacing(System& system, std::uint32_t max_rate, LoadWatch* watch = nullptr)
        : system_(system), watch_(watch),
          period_(max_rate == 0 ? 0 : (1'000'000'000U + max_rate - 1) / max_rate) {}
    bool active() const { return period_ != 0; }
    // Returns when the next load may be made; false: none may be made any more.
    bool wait();

  private:
    System& system_;
    LoadWatch* watch_;
    std::uint64_t period_; // ns
    std::uint64_t next_ = 0;
};

} // namespace barscope::safety
