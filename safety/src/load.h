// One order for loads of one width from one mapping, and who carries it out.
#pragma once

#include <cstddef>
#include <cstdint>

#include <safety/access.h>

namespace barscope::safety {

enum class LoadTiming { off, counter, monotonic_clock };

struct LoadOrder {
    const std::byte* window = nullptr;
    std::uint64_t window_offset =
        0; // of the window's first byte in the BAR; only ever subtracted, so it may wrap
    const WordRequest* requests = nullptr;
    Word* words = nullptr; // blank ones; they get their value and, in `nanoseconds`, ticks
    std::size_t count = 0;
    unsigned width = 32;     // of each load, in bits
    bool contiguous = false; // each word follows the one before it
    LoadTiming timing = LoadTiming::off;
    std::uint64_t doubtful_ticks = UINT64_MAX;
};

struct LoadResult {
    std::size_t count = 0;        // loads made: all, or up to one that is all ones or took `doubtful_ticks`
    std::uint64_t last_ticks = 0; // of the last one
};

LoadResult load_words(const LoadOrder& order);

// What a word holds before it is loaded: no load of less than 64 bits gives this value.
inline constexpr std::uint64_t unloaded_value = UINT64_MAX;

inline Word blank_word() {
    Word word;
    word.value = unloaded_value;
    return word;
}

inline bool is_blank(const Word& word) {
    return word.value == unloaded_value && word.status == WordStatus::not_attempted;
}

} // namespace barscope::safety
