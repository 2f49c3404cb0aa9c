// A counter that is cheap enough to be read once a load, and its rate.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace barscope::safety {

struct MonotonicClock {
    static std::uint64_t now() {
        timespec time{};
        ::clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
               static_cast<std::uint64_t>(time.tv_nsec);
    }
};

#if defined(__x86_64__) || defined(__i386__)
struct CounterClock {
    // rdtsc alone may run ahead of a load that is under way; lfence waits for it (Intel SDM, RDTSC).
    static std::uint64_t now() {
        _mm_lfence();
        return __rdtsc();
    }
};
#elif defined(__aarch64__)
struct CounterClock {
    static std::uint64_t now() {
        std::uint64_t count = 0;
        asm volatile("dsb ld\n\tisb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
        return count;
    }
};
#else
using CounterClock = MonotonicClock;
#endif

// Whether the counter runs at one rate at all times, so that it can be turned into nanoseconds.
bool counter_is_steady();

// Ticks to nanoseconds, from two looks at both clocks. The longer they lie apart, the better.
class TickScale {
  public:
    TickScale(); // the first look
    bool uses_counter() const { return uses_counter_; }
    void update(); // the second look
    std::uint64_t to_ns(std::uint64_t ticks) const;
    std::uint64_t from_ns(std::uint64_t ns) const;

  private:
    bool uses_counter_;
    std::uint64_t first_ns_;
    std::uint64_t first_ticks_;
    double ns_per_tick_ = 1;
};

} // namespace barscope::safety
