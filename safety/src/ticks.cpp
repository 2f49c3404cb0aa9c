#include "ticks.h"

#include <algorithm>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace barscope::safety {
namespace {

constexpr std::uint64_t shortest_baseline_ns = 20'000; // two clock reads of some 30 ns are below 1% of it

} // namespace

bool counter_is_steady() {
#if defined(__x86_64__) || defined(__i386__)
    // CPUID 80000007h, EDX bit 8: invariant TSC.
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & 0x100U) != 0;
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

TickScale::TickScale()
    : uses_counter_(counter_is_steady()), first_ns_(MonotonicClock::now()),
      first_ticks_(uses_counter_ ? CounterClock::now() : 0) {}

void TickScale::update() {
    if (!uses_counter_) {
        return;
    }
    std::uint64_t ns = MonotonicClock::now();
    while (ns - first_ns_ < shortest_baseline_ns) {
        ns = MonotonicClock::now();
    }
    const std::uint64_t ticks = CounterClock::now();
    if (ticks > first_ticks_) {
        ns_per_tick_ = static_cast<double>(ns - first_ns_) / static_cast<double>(ticks - first_ticks_);
    }
}

std::uint64_t TickScale::to_ns(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_per_tick_);
}

std::uint64_t TickScale::from_ns(std::uint64_t ns) const {
    return static_cast<std::uint64_t>(static_cast<double>(ns) / ns_per_tick_);
}

} // namespace barscope::safety
