// How long a load took, and whether that is a sign of sickness.
#pragma once

#include <algorithm>
#include <cstdint>

#include <safety/access.h>

#include "system.h"

namespace barscope::safety {

// A load over PCIe takes microseconds; tens of milliseconds are a completion timeout.
inline constexpr std::uint64_t slow_load_ns = 10'000'000;
// From here on a duration is looked at twice: it may be the scheduler's.
inline constexpr std::uint64_t doubtful_load_ns = 1'000'000;

inline void set_time(Word& word, std::uint64_t ns) {
    word.nanoseconds = static_cast<std::uint32_t>(std::min<std::uint64_t>(ns, UINT32_MAX));
    if (ns >= slow_load_ns) {
        word.flags |= slow;
    }
}

// Time in which the thread did not run. A load that waits for its completion keeps the processor; one during
// which the thread was preempted does not, and says nothing about the link.
class OffCpuTime {
  public:
    explicit OffCpuTime(System& system) : system_(system) { restart(); }
    void restart() {
        wall_ = system_.monotonic_ns();
        cpu_ = system_.thread_cpu_ns();
    }
    // Since the last call or restart.
    std::uint64_t take() {
        const std::uint64_t wall = wall_;
        const std::uint64_t cpu = cpu_;
        restart();
        const std::uint64_t ran = cpu_ - cpu;
        const std::uint64_t passed = wall_ - wall;
        return passed > ran ? passed - ran : 0;
    }

  private:
    System& system_;
    std::uint64_t wall_ = 0;
    std::uint64_t cpu_ = 0;
};

} // namespace barscope::safety
