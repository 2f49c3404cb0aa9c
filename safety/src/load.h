// The only code that reads device memory: one load instruction of the declared width per word, in order. No
// memcpy (its loads may be wider, paired or unaligned), nothing that the compiler may merge, repeat or leave
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <safety/access.h>

namespace barscope::safety {

template <typename T>
inline T load_once(const std::byte* address) {
    return *reinterpret_cast<const volatile T*>(address);
}

// The status is stored after the value and both are volatile: when a load faults, the first word that is
// still not_attempted is the one that faulted, without a progress counter in the loop.
inline void keep(Word& word, std::uint64_t value, std::uint32_t ticks) {
    const_cast<volatile std::uint64_t&>(word.value) = value;
    const_cast<volatile std::uint32_t&>(word.nanoseconds) = ticks;
    const_cast<volatile WordStatus&>(word.status) = WordStatus::ok;
}

// Loads `count` words whose offsets count from `window_offset` at `window`, up to and including the first
// that is all ones. Returns how many.
template <typename T>
std::size_t load_words(const std::byte* window, std::uint64_t window_offset, const WordRequest* requests,
                       Word* words, std::size_t count) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) {
        const T value = load_once<T>(window + (requests[i].offset - window_offset));
        const_cast<volatile std::uint64_t&>(words[i].value) = value;
        const_cast<volatile WordStatus&>(words[i].status) = WordStatus::ok;
        if (value == std::numeric_limits<T>::max()) [[unlikely]] {
            return i + 1;
        }
    }
    return count;
}

struct TimedLoads {
    std::size_t count = 0;
    std::uint64_t last_ticks = 0; // of the last load
};

// The same, with the duration of each load in ticks; also ends after one that took `slow_ticks` or more. One
// stamp a word: each is the end of its load and the start of the next. `Clock::now` must not be reached
// before the load is done.
template <typename T, typename Clock>
TimedLoads load_words_timed(const std::byte* window, std::uint64_t window_offset, const WordRequest* requests,
                            Word* words, std::size_t count, std::uint64_t slow_ticks) {
    std::uint64_t before = Clock::now();
    std::uint64_t ticks = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const T value = load_once<T>(window + (requests[i].offset - window_offset));
        const std::uint64_t after = Clock::now();
        ticks = after > before ? after - before : 0; // a counter that another core set back
        before = after;
        keep(words[i], value, static_cast<std::uint32_t>(ticks < UINT32_MAX ? ticks : UINT32_MAX));
        if (value == std::numeric_limits<T>::max() || ticks >= slow_ticks) [[unlikely]] {
            return {i + 1, ticks};
        }
    }
    return {count, ticks};
}

struct SplitValue {
    std::uint64_t value = 0;
    unsigned loads = 0;
    bool torn = false;
};

// High half, low half, high half again: where both highs agree, the low half belongs to them. Otherwise once
// more, with the last high half as the first.
template <typename LoadHigh, typename LoadLow>
SplitValue load_split(LoadHigh load_high, LoadLow load_low) {
    std::uint32_t high = load_high();
    std::uint32_t low = load_low();
    std::uint32_t again = load_high();
    unsigned loads = 3;
    if (again != high) {
        high = again;
        low = load_low();
        again = load_high();
        loads = 5;
    }
    return {std::uint64_t{high} << 32U | low, loads, again != high};
}

} // namespace barscope::safety
