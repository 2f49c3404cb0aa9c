// Counters between two readings: field case 67, and what tells a wrap from a reset.
#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <vector>

#include <evidence/counting.h>

using namespace barscope::tool;

namespace {

constexpr std::uint64_t bits32 = std::uint64_t{1} << 32;

Readings readings(std::uint64_t before, std::uint64_t after, std::uint64_t modulus) {
    Readings out;
    out.before = before;
    out.after = after;
    out.modulus = modulus;
    out.boots = Boots::same;
    out.seconds = 10;
    return out;
}

Motion motion(std::uint64_t steps, double seconds) {
    return {.steps = steps, .samples = 2, .seconds = seconds};
}

} // namespace

TEST_CASE("the way forward on a ring") {
    CHECK(forward(0xfffffffe, 0x3, bits32) == 5);
    CHECK(forward(3, 3, bits32) == 0);
    CHECK(forward(7, 2, 8) == 3);
    CHECK(forward(UINT64_MAX, 1, 0) == 2);
    CHECK(forward(1, 0, 0) == UINT64_MAX);
    CHECK(forward(UINT64_MAX - 1, UINT64_MAX, UINT64_MAX) == 1); // MAX - 1 to 0
    CHECK(forward(9, 2, 8) == 1);                                // what lies beyond the modulus goes round
}

TEST_CASE("going forward n steps is found again as n, for any start and modulus") {
    std::mt19937_64 random(67);
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t modulus = i % 5 == 0 ? 0 : (random() >> (random() % 63)) | 1U;
        const std::uint64_t start = modulus == 0 ? random() : random() % modulus;
        const std::uint64_t steps = modulus == 0 ? random() : random() % modulus;
        const std::uint64_t room = modulus - start; // to the wrap
        const std::uint64_t end = modulus == 0 ? start + steps : steps >= room ? steps - room : start + steps;
        REQUIRE(forward(start, end, modulus) == steps);
    }
}

TEST_CASE("field case 67: 0xfffffffe to 0x3 is +5 in 32 bits") {
    const Counted counted = count(readings(0xfffffffe, 0x3, bits32));
    CHECK(counted.delta == 5);
    CHECK(counted.wrapped);
    CHECK_FALSE(counted.reset);
    CHECK(counted.assumed); // nothing but the values says so
}

TEST_CASE("forwards is never a wrap nor a reset") {
    const Counted counted = count(readings(10, 25, bits32));
    CHECK(counted.delta == 15);
    CHECK_FALSE(counted.wrapped);
    CHECK_FALSE(counted.reset);
}

TEST_CASE("a lower value far from the end was reset") {
    for (const std::uint64_t before : {std::uint64_t{1000}, std::uint64_t{0x80000000}}) {
        const Counted counted = count(readings(before, 3, bits32));
        CHECK(counted.reset);
        CHECK_FALSE(counted.wrapped);
        CHECK_FALSE(counted.delta);
    }
}

TEST_CASE("a modulus that the map states is believed for half its range") {
    Readings near = readings(700, 100, 1000);
    near.stated = true;
    CHECK(count(near).delta == 400);
    CHECK(count(near).wrapped);
    CHECK_FALSE(count(near).assumed);
    Readings far = readings(300, 100, 1000); // 800 forwards
    far.stated = true;
    CHECK(count(far).reset);
    Readings width = readings(700, 100, 1000); // the same, where only a width says 1000
    CHECK(count(width).reset);
}

TEST_CASE("a rate within the passes decides between wrap and reset") {
    // 20 a second for 10 s: 200 are due. 0xffffff80 to 0x48 is 200 forwards.
    Readings due = readings(0xffffff80, 0x48, bits32);
    due.motion_before = motion(2, 0.1);
    CHECK(count(due).delta == 200);
    CHECK(count(due).wrapped);
    CHECK_FALSE(count(due).assumed);
    // 0xf8000000 to 0x48 is 134 million forwards: not at 20 a second.
    Readings early = readings(0xf8000000, 0x48, bits32);
    early.motion_before = motion(2, 0.1);
    CHECK(count(early).reset);
    // At 300 million a second, 10 s are 3e9: half way round is a wrap.
    Readings fast = readings(0xc0000000, 0x80000000, bits32);
    fast.motion_after = motion(30'000'000, 0.1);
    CHECK(count(fast).wrapped);
    CHECK(count(fast).laps);
}

TEST_CASE("another boot: counters began anew") {
    Readings lower = readings(0xfffffffe, 3, bits32);
    lower.boots = Boots::other;
    CHECK(count(lower).reset);
    CHECK_FALSE(count(lower).delta);
    Readings higher = readings(3, 9, bits32);
    higher.boots = Boots::other;
    CHECK_FALSE(count(higher).reset);
    CHECK(count(higher).rebooted);
    CHECK_FALSE(count(higher).delta);
}

TEST_CASE("the usual rate") {
    // 1000 a second within the passes; 10 s.
    const auto advanced = [](std::uint64_t steps) {
        Readings out = readings(0, steps, bits32);
        out.motion_before = motion(100, 0.1);
        out.motion_after = motion(100, 0.1);
        return count(out).usual;
    };
    CHECK(advanced(10'000));
    CHECK(advanced(5'000));
    CHECK(advanced(20'000));
    CHECK_FALSE(advanced(100'000));
    CHECK_FALSE(advanced(100));
    // It stood still within both, and advanced by so little that nothing was to be seen there.
    Readings slow = readings(0, 50, bits32);
    slow.motion_before = slow.motion_after = motion(0, 0.1);
    CHECK(count(slow).usual);
    // By so much that it should have been seen: a burst between.
    Readings burst = readings(0, 50'000, bits32);
    burst.motion_before = burst.motion_after = motion(0, 0.1);
    CHECK_FALSE(count(burst).usual);
    // Without passes nobody knows.
    CHECK(count(readings(0, 50'000, bits32)).usual);
}

TEST_CASE("a counter that ran and stands still") {
    Readings out = readings(1000, 1000, bits32);
    out.motion_before = motion(100, 0.1);
    out.motion_after = motion(0, 0.1);
    CHECK(count(out).stalled);
    out.motion_after = motion(0, 0.001); // one step was due: that says nothing
    CHECK_FALSE(count(out).stalled);
    out.motion_after = {.steps = 0, .samples = 1, .seconds = {}};
    CHECK_FALSE(count(out).stalled);
}

TEST_CASE("motion within passes, over the wrap") {
    using Sample = std::pair<std::size_t, std::uint64_t>;
    const std::array<Sample, 3> ring{Sample{0, 6}, Sample{1, 7}, Sample{2, 1}};
    CHECK(motion_of(ring, 8).steps == 3);
    const std::array<Sample, 2> cleared{Sample{0, 500}, Sample{1, 2}};
    CHECK(motion_of(cleared, bits32).moved());
    CHECK(motion_of(cleared, bits32).steps < 500);
    const std::array<Sample, 2> still{Sample{0, 5}, Sample{1, 5}};
    CHECK(motion_of(still, 8).stood_still());
    CHECK_FALSE(motion_of(std::span(still).first(1), 8).stood_still());
}

TEST_CASE("an index moves modulo its depth and never resets") {
    Readings ring = readings(1020, 4, 1024);
    ring.motion_after = motion(1, 0.1);
    CHECK(count_index(ring).delta == 8);
    CHECK_FALSE(count_index(ring).reset);
    CHECK_FALSE(count_index(ring).stalled);
}

TEST_CASE("an index that moved before and stands still is stalled") {
    Readings ring = readings(10, 10, 1024);
    ring.motion_before = motion(3, 0.1);
    ring.motion_after = motion(0, 0.1);
    CHECK(count_index(ring).stalled);
    // BEFORE has one pass: it moved between, fast enough that AFTER's passes should have seen it.
    Readings between = readings(10, 500, 1024);
    between.motion_before = {.steps = 0, .samples = 1, .seconds = {}};
    between.motion_after = motion(0, 0.1);
    CHECK(count_index(between).stalled);
    // One step in 10 s is not due within a tenth of a second.
    between.after = 11;
    CHECK_FALSE(count_index(between).stalled);
    // It stood still in both: idle.
    between.after = 500;
    between.motion_before = motion(0, 0.1);
    CHECK_FALSE(count_index(between).stalled);
    // A single pass of AFTER cannot stand still.
    ring.motion_after = {.steps = 0, .samples = 1, .seconds = {}};
    CHECK_FALSE(count_index(ring).stalled);
}

TEST_CASE("RFC 3339 times") {
    CHECK(parse_rfc3339("1970-01-01T00:00:00Z") == 0);
    CHECK(parse_rfc3339("1970-01-02T00:00:01.5Z") == 86'401'500'000'000);
    CHECK(parse_rfc3339("2000-03-01T00:00:00Z") == 951'868'800'000'000'000); // date -d ... +%s
    CHECK(parse_rfc3339("1970-01-01T01:00:00+01:00") == 0);
    CHECK(parse_rfc3339("1969-12-31T23:00:00-01:00") == std::nullopt); // before 1970
    CHECK(parse_rfc3339("1970-01-01T00:00:00-00:30") == 1'800'000'000'000);
    for (const char* bad :
         {"", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-02-30T00:00:00Z",
          "1970-01-01T24:00:00Z", "1970-01-01T00:00:00Zx", "1970-1-01T00:00:00Z", "9999-01-01T00:00:00Z"}) {
        CHECK(parse_rfc3339(bad) == std::nullopt);
    }
}
