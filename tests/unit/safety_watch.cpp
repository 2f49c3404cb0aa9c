// A pass that is ended early: before the next load, and whatever kind of load that is.
#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <memory>

#include <safety/config_space.h>

#include "pass.h"
#include "safety_tree.h"
#include "segments.h"
#include "word_check.h"

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

// A clock that only a test moves.
class TurnedClock final : public System {
  public:
    std::uint64_t time = 0;
    std::uint64_t monotonic_ns() override { return time += 100; }
    void sleep_ns(std::uint64_t duration) override { time += duration; }
};

class FakeWatch final : public LoadWatch {
  public:
    std::function<bool()> says = [] { return true; };
    std::function<void(std::uint64_t)> sleep = [](std::uint64_t) {};
    std::size_t each = 1000;
    std::size_t asked = 0, words = 0;
    std::vector<std::uint32_t> slow;

    bool go_on() override { return says(); }
    std::size_t grant() override {
        ++asked;
        return says() ? each : 0;
    }
    void loaded(std::size_t count, std::uint32_t slow_ns) override {
        words += count;
        if (slow_ns != 0) {
            slow.push_back(slow_ns);
        }
    }
    bool wait(std::uint64_t ns) override {
        sleep(ns);
        return says();
    }
    std::string why() const override { return "time is up"; }
};

// Loads that take as long as a test says.
class SlowPort final : public LoadPort {
  public:
    std::uint64_t time = 0, each = second;
    std::uint64_t value = 5;
    Answer answer = Answer::alive;
    std::size_t loads = 0, questions = 0, pauses = 0, largest = 0;

    barscope::Result<void> enter(const Segment& /*segment*/) override { return {}; }
    Step load(const Segment& segment, const WordRequest* /*requests*/, Word* words,
              std::size_t count) override {
        largest = std::max(largest, count);
        for (std::size_t i = 0; i < count; ++i) {
            ++loads;
            time += each;
            words[i].value = value;
            if (value == all_ones(segment.width) && each < 10'000'000) {
                return {i + 1, Stop::all_ones};
            }
            if (each >= 10'000'000) {
                words[i].flags |= slow;
                words[i].nanoseconds = static_cast<std::uint32_t>(each);
                return {i + 1, value == all_ones(segment.width) ? Stop::all_ones : Stop::slow};
            }
        }
        return {count, Stop::none};
    }
    Answer ask(const WordRequest* /*suspect*/) override {
        ++questions;
        return answer;
    }
    void pause(std::chrono::milliseconds duration) override {
        ++pauses;
        time += static_cast<std::uint64_t>(std::chrono::nanoseconds(duration).count());
    }
    std::string why() const override { return {}; }
};

SpaceCapture run(const SpacePlan& plan, LoadPort& port, const ReadOptions& options) {
    SpaceCapture capture;
    const WordCheck check(plan, {0x100000, 0x100000});
    const auto segments =
        plan_segments(plan, check, capture.words, [](const WordRequest&) { return std::uint32_t{0}; });
    Pass pass(plan, options, port, capture);
    pass.run(segments);
    pass.finish();
    return capture;
}

SpacePlan words_of(std::size_t count) {
    SpacePlan plan;
    for (std::size_t i = 0; i < count; ++i) {
        plan.words.push_back(word(4 * i));
    }
    return plan;
}

std::size_t count_of(const SpaceCapture& capture, WordStatus status) {
    return static_cast<std::size_t>(std::count_if(capture.words.begin(), capture.words.end(),
                                                  [&](const Word& w) { return w.status == status; }));
}

ReadOptions watched(FakeWatch& watch, bool timing = true) {
    ReadOptions options;
    options.timing = timing;
    options.watch = &watch;
    return options;
}

} // namespace

TEST_CASE("a slow device: the load under way is the last one, and what was read is kept") {
    SlowPort port;
    FakeWatch watch;
    watch.says = [&] { return port.time < 3 * second + second / 2; };
    const SpaceCapture capture = run(words_of(10), port, watched(watch));
    CHECK(port.loads == 4);
    CHECK(count_of(capture, WordStatus::ok) == 4);
    CHECK(count_of(capture, WordStatus::not_attempted) == 6);
    CHECK(capture.stopped);
    CHECK_FALSE(capture.device_gone);
    CHECK_THAT(capture.note, Catch::Contains("word 4 of 10") && Catch::Contains("time is up"));
    CHECK(watch.words == 4);
    CHECK(watch.slow == std::vector<std::uint32_t>(4, second));
}

TEST_CASE("no more loads are made at once than were granted") {
    SlowPort port;
    port.each = 100;
    FakeWatch watch;
    watch.each = 7;
    watch.says = [&] { return watch.asked <= 3; };
    const SpaceCapture capture = run(words_of(500), port, watched(watch));
    CHECK(port.loads == 21);
    CHECK(port.largest == 7);
    CHECK(count_of(capture, WordStatus::not_attempted) == 479);

    SlowPort untimed; // a slow load is not noticed there, so it is asked more often
    untimed.each = 100;
    FakeWatch generous;
    CHECK(count_of(run(words_of(500), untimed, watched(generous, false)), WordStatus::ok) == 500);
    CHECK(untimed.largest <= 8);
}

TEST_CASE("a pass that nobody ends is the same with a watch as without") {
    SlowPort with, without;
    with.each = without.each = 100;
    FakeWatch watch;
    const SpaceCapture a = run(words_of(300), with, watched(watch));
    const SpaceCapture b = run(words_of(300), without, {});
    CHECK(with.loads == 300);
    CHECK(without.loads == 300);
    CHECK(a.note == b.note);
    CHECK_FALSE(a.stopped);
    CHECK(count_of(a, WordStatus::ok) == 300);
    CHECK(watch.words == 300);
}

TEST_CASE("extra tries end with the time") {
    SlowPort port;
    port.each = 100;
    port.value = UINT32_MAX;
    port.answer = Answer::gone;
    FakeWatch watch;
    watch.says = [&] { return port.time < second; };
    ReadOptions options = watched(watch);
    options.retries = 100; // 100 ms each
    const SpaceCapture capture = run(words_of(3), port, options);
    CHECK(port.pauses <= 11);
    CHECK(port.time < second + second / 5);
    CHECK(capture.words[0].status == WordStatus::gone);
}

TEST_CASE("nobody asks a sentinel when time is up: ones stay a suspect") {
    const Tree tree;
    std::string bytes(0x1000, '\x11');
    bytes.replace(0x10, 4, "\xff\xff\xff\xff");
    add_bar(tree, 0xfe000000, 0x1000, bytes);
    SpacePlan plan = plan_of({word(0x10), word(0x14)});
    plan.sentinels = {word(0x100)};
    FakeWatch watch;
    watch.says = [&] { return watch.asked <= 1 && watch.words == 0; };
    const SpaceCapture capture = open_source(tree)->read(plan, watched(watch));
    CHECK(capture.loads == 1);
    CHECK(capture.sentinel_loads == 0);
    CHECK(capture.words[0].status == WordStatus::unconfirmed_ones);
    CHECK(capture.words[1].status == WordStatus::not_attempted);
    CHECK(capture.stopped);
}

TEST_CASE("the halves of a split word and the loads of a rate are each asked for") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\x11'));
    SECTION("halves") {
        SpacePlan plan = plan_of({word(0x10, 64), word(0x18, 64)});
        plan.words[0].split = plan.words[1].split = Split::hi_lo_hi;
        FakeWatch watch;
        std::size_t questions = 0;
        watch.says = [&] { return ++questions <= 6; };
        const SpaceCapture capture = open_source(tree)->read(plan, watched(watch));
        CHECK(capture.words[0].status == WordStatus::ok);
        CHECK(capture.words[1].status == WordStatus::not_attempted);
        CHECK(capture.words[1].value == 0);
        CHECK(capture.loads < 6);
        CHECK(capture.stopped);
    }
    SECTION("a rate") {
        const auto clock = std::make_shared<TurnedClock>();
        FakeWatch watch;
        watch.says = [&] { return clock->time < second; };
        watch.sleep = [&](std::uint64_t ns) { clock->time += ns; };
        ReadOptions options = watched(watch);
        options.max_rate = 5;
        SpacePlan plan;
        for (std::uint64_t i = 0; i < 100; ++i) {
            plan.words.push_back(word(4 * i));
        }
        const SpaceCapture capture = open_source(tree, clock)->read(plan, options);
        CHECK(capture.loads == 5);
        CHECK(count_of(capture, WordStatus::ok) == 5);
        CHECK(clock->time < second + second / 4);
        CHECK_THAT(capture.note, Catch::Contains("time is up"));
    }
}

TEST_CASE("configuration space is not read any more either") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\x11'));
    const auto config = ConfigSpace::open(tree.root(), parse_pci_address("01:00.0").value()).value();
    FakeWatch watch;
    std::size_t questions = 0;
    watch.says = [&] { return ++questions <= 2; };
    const SpaceCapture capture =
        make_config_source(config)->read(plan_of({word(0, 16), word(2, 16), word(0x34, 8)}), watched(watch));
    CHECK(capture.words[0].status == WordStatus::ok);
    CHECK(capture.words[0].value == 0x14e4);
    CHECK(capture.words[2].status == WordStatus::not_attempted);
    CHECK(capture.loads <= 2);
    CHECK(capture.stopped);
}

TEST_CASE("whoever changes which signals are heeded while a pass runs is not undone by it") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\x11'));
    sigset_t mask{}, before{};
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    REQUIRE(::pthread_sigmask(SIG_BLOCK, &mask, &before) == 0);
    FakeWatch watch;
    watch.says = [&] { return ::pthread_sigmask(SIG_UNBLOCK, &mask, nullptr) == 0; };
    CHECK(open_source(tree)->read(plan_of({word(0)}), watched(watch)).words[0].status == WordStatus::ok);
    sigset_t now{};
    REQUIRE(::pthread_sigmask(SIG_SETMASK, &before, &now) == 0);
    CHECK(sigismember(&now, SIGUSR2) == 0);
}
