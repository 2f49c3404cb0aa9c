// What two readings of a counter or an index say: numbers in, a judgement out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <evidence/elapsed.h>

namespace barscope::tool {

// From `before` to `after` going forwards on a ring of `modulus` values; 0: of 2^64.
std::uint64_t forward(std::uint64_t before, std::uint64_t after, std::uint64_t modulus);

// How a counter moved within the passes of one snapshot.
struct Motion {
    std::uint64_t steps = 0;
    std::size_t samples = 0;
    std::optional<double> seconds; // from the first sample to the last

    bool moved() const { return steps != 0; }
    bool stood_still() const { return samples > 1 && steps == 0; }
};
// `samples`: (pass, value) in order.
Motion motion_of(std::span<const std::pair<std::size_t, std::uint64_t>> samples, std::uint64_t modulus);

struct Readings {
    std::uint64_t before = 0, after = 0;
    std::uint64_t modulus = 0; // 0: 2^64
    bool stated = false;       // the map says the modulus, rather than the width
    Boots boots = Boots::unknown;
    std::optional<double> seconds; // between both
    Motion motion_before, motion_after;
};

struct Counted {
    std::optional<std::uint64_t> delta; // nothing: cannot be told
    bool wrapped = false, reset = false;
    bool rebooted = false; // not lower than before, but counted anew since another boot
    bool laps = false;     // at its rate it may have gone round more than once
    bool assumed = false;  // a wrap at the width, which nothing but the values speaks for
    bool usual = true;     // it advanced by no other rate than within the passes, or nobody knows
    bool stalled = false;  // it moved within BEFORE's passes and not within AFTER's
    friend bool operator==(const Counted&, const Counted&) = default;
};
Counted count(const Readings& readings);

// An index: movement modulo depth. It never resets nor wraps visibly.
Counted count_index(const Readings& readings);

} // namespace barscope::tool
