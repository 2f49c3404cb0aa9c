// The only code that reads device memory: one load instruction of the declared width per word, in order. No
// memcpy (its loads may be wider, paired or unaligned), nothing that the compiler may merge, repeat or leave
// out. The loops are not inlined, so that a test can look at their machine code.
#pragma once

#include <limits>

#include "load.h"

namespace barscope::safety {

template <typename T>
inline T load_once(const std::byte* address) {
    return *reinterpret_cast<const volatile T*>(address);
}

// Every value that is stored differs from `unloaded_value`, or the status changes with it. So when a load
// faults, the first word that looks unloaded is the one that faulted, and the loop needs no progress counter.
// The stores are volatile to stay in order with the loads.
template <typename T>
inline void keep(Word& word, T value) {
    const_cast<volatile std::uint64_t&>(word.value) = value;
    if constexpr (sizeof(T) == sizeof(word.value)) {
        const_cast<volatile WordStatus&>(word.status) = WordStatus::ok;
    }
}

inline const std::byte* address_of(const LoadOrder& order, std::size_t i) {
    return order.window + (order.requests[i].offset - order.window_offset);
}

template <typename T>
[[gnu::noinline]] std::size_t load_contiguous(const LoadOrder& order) {
    const std::byte* const first = address_of(order, 0);
    Word* const words = order.words;
    const std::size_t count = order.count;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) {
        const T value = load_once<T>(first + i * sizeof(T));
        keep(words[i], value);
        if (value == std::numeric_limits<T>::max()) [[unlikely]] {
            return i + 1;
        }
    }
    return count;
}

template <typename T>
[[gnu::noinline]] std::size_t load_scattered(const LoadOrder& order) {
    const std::byte* const window = order.window;
    const std::uint64_t window_offset = order.window_offset;
    const WordRequest* const requests = order.requests;
    Word* const words = order.words;
    const std::size_t count = order.count;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) {
        const T value = load_once<T>(window + (requests[i].offset - window_offset));
        keep(words[i], value);
        if (value == std::numeric_limits<T>::max()) [[unlikely]] {
            return i + 1;
        }
    }
    return count;
}

// One stamp a word: each is the end of its load and the start of the next. `Clock::now` must not be reached
// before the load is done.
template <typename T, typename Clock>
[[gnu::noinline]] LoadResult load_timed(const LoadOrder& order) {
    std::uint64_t before = Clock::now();
    std::uint64_t ticks = 0;
    for (std::size_t i = 0; i < order.count; ++i) {
        const T value = load_once<T>(address_of(order, i));
        const std::uint64_t after = Clock::now();
        ticks = after > before ? after - before : 0; // another core's counter may lag behind
        before = after;
        Word& word = order.words[i];
        const_cast<volatile std::uint32_t&>(word.nanoseconds) =
            static_cast<std::uint32_t>(ticks < UINT32_MAX ? ticks : UINT32_MAX);
        keep(word, value);
        if (value == std::numeric_limits<T>::max() || ticks >= order.doubtful_ticks) [[unlikely]] {
            return {i + 1, ticks};
        }
    }
    return {order.count, ticks};
}

} // namespace barscope::safety
