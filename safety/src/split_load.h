// A 64-bit register on a bus of 32 bits.
#pragma once

#include <cstdint>

namespace barscope::safety {

struct SplitValue {
    std::uint64_t value = 0;
    bool torn = false;
};

// High half, low half, high half again: where both highs agree, the low half belongs to them. Otherwise once
// more, with the last high half as the first.
template <typename LoadHigh, typename LoadLow>
SplitValue load_split(LoadHigh load_high, LoadLow load_low) {
    std::uint32_t high = load_high();
    std::uint32_t low = load_low();
    std::uint32_t again = load_high();
    if (again != high) {
        high = again;
        low = load_low();
        again = load_high();
    }
    return {std::uint64_t{high} << 32U | low, again != high};
}

} // namespace barscope::safety
