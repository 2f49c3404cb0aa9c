#include <evidence/counting.h>

#include <algorithm>

namespace barscope::tool {

namespace {

// A few more or less say nothing: events come when they come.
constexpr double few = 8;
// A rate that was seen for a moment holds for longer within this factor.
constexpr double wobble = 8;
constexpr double usual_factor = 4;

double range_of(std::uint64_t modulus) {
    return modulus == 0 ? 0x1p64 : static_cast<double>(modulus);
}

std::optional<double> rate_of(const Motion& motion) {
    if (!motion.moved() || !motion.seconds) {
        return std::nullopt;
    }
    return static_cast<double>(motion.steps) / *motion.seconds;
}

// How far the counter should have come between both readings; nothing where it was not seen to move.
std::optional<double> expected_steps(const Readings& readings) {
    const auto first = rate_of(readings.motion_before);
    const auto second = rate_of(readings.motion_after);
    if (!readings.seconds || (!first && !second)) {
        return std::nullopt;
    }
    return std::max(first.value_or(0), second.value_or(0)) * *readings.seconds;
}

// Without a rate: a modulus that the map states is believed for half its range. Where only the width is
// known, and a counter that somebody cleared looks the same, the old value must have been near the end.
bool wrap_is_plausible(const Readings& readings, std::uint64_t distance) {
    const auto steps = static_cast<double>(distance);
    if (const auto expected = expected_steps(readings)) {
        return steps <= *expected * wobble + few;
    }
    const double range = range_of(readings.modulus);
    return readings.stated ? steps <= range / 2 : steps < range / 16;
}

bool fits(double steps, double seconds, const Motion& motion) {
    const double expected = steps / seconds * *motion.seconds;
    const auto seen = static_cast<double>(motion.steps);
    return seen * usual_factor + few >= expected && expected * usual_factor + few >= seen;
}

bool is_usual(const Readings& readings, std::uint64_t delta) {
    const auto comparable = [](const Motion& motion) { return motion.samples > 1 && motion.seconds; };
    const bool first = comparable(readings.motion_before);
    const bool second = comparable(readings.motion_after);
    if (!readings.seconds || (!first && !second)) {
        return true;
    }
    const auto steps = static_cast<double>(delta);
    return (first && fits(steps, *readings.seconds, readings.motion_before)) ||
           (second && fits(steps, *readings.seconds, readings.motion_after));
}

// How far it should have moved within AFTER's passes, by this rate.
std::optional<double> expected_in_after(const Readings& readings, const std::optional<double>& rate) {
    return rate && readings.motion_after.seconds ? std::optional(*rate * *readings.motion_after.seconds)
                                                 : std::nullopt;
}

} // namespace

std::uint64_t forward(std::uint64_t before, std::uint64_t after, std::uint64_t modulus) {
    if (modulus == 0) {
        return after - before;
    }
    const std::uint64_t first = before % modulus;
    const std::uint64_t second = after % modulus;
    return second >= first ? second - first : modulus - first + second;
}

Motion motion_of(std::span<const std::pair<std::size_t, std::uint64_t>> samples, std::uint64_t modulus) {
    Motion motion;
    motion.samples = samples.size();
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const std::uint64_t steps = forward(samples[i - 1].second, samples[i].second, modulus);
        const bool far_back =
            samples[i].second<samples[i - 1].second&& static_cast<double>(steps)> range_of(modulus) / 2;
        motion.steps += far_back ? 1 : steps; // cleared rather than wrapped: it moved, nobody knows how far
    }
    return motion;
}

Counted count(const Readings& readings) {
    Counted out;
    if (readings.boots == Boots::other) {
        out.reset = readings.after < readings.before;
        out.rebooted = !out.reset;
        return out;
    }
    const std::uint64_t distance = forward(readings.before, readings.after, readings.modulus);
    if (readings.after < readings.before) {
        out.wrapped = wrap_is_plausible(readings, distance);
        out.reset = !out.wrapped;
        if (out.reset) {
            return out;
        }
        out.assumed = !readings.stated && !expected_steps(readings);
    }
    out.delta = distance;
    const auto expected = expected_steps(readings);
    out.laps = expected && *expected > range_of(readings.modulus) / 2;
    out.usual = out.laps || is_usual(readings, distance);
    const auto missed = expected_in_after(readings, rate_of(readings.motion_before));
    out.stalled = readings.motion_after.stood_still() && missed && *missed >= few;
    return out;
}

Counted count_index(const Readings& readings) {
    Counted out;
    out.delta = forward(readings.before, readings.after, readings.modulus);
    if (!readings.motion_after.stood_still() || readings.boots == Boots::other) {
        return out;
    }
    if (readings.motion_before.moved()) {
        out.stalled = true;
        return out;
    }
    // It moved between the snapshots: one that does so once in an hour is not expected to within a second.
    const auto rate =
        readings.seconds ? std::optional(static_cast<double>(*out.delta) / *readings.seconds) : std::nullopt;
    const auto missed = expected_in_after(readings, rate);
    out.stalled = *out.delta != 0 && (!missed || *missed >= 1) && !readings.motion_before.stood_still();
    return out;
}

} // namespace barscope::tool
