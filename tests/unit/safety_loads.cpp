#include <catch2/catch.hpp>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>

#include <dlfcn.h>
#include <elf.h>
#include <sys/time.h>

#include "load_kernels.h"
#include "safety_tree.h"
#include "ticks.h"

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

// A clock that a test turns.
struct ToldClock {
    static inline std::vector<std::uint64_t> stamps;
    static inline std::size_t next = 0;
    static std::uint64_t now() { return stamps.at(next++); }
};

struct Target {
    std::vector<std::uint32_t> memory;
    std::vector<WordRequest> requests;
    std::vector<Word> words;
    LoadOrder order;
    explicit Target(std::vector<std::uint32_t> values)
        : memory(std::move(values)), words(memory.size(), blank_word()) {
        for (std::size_t i = 0; i < memory.size(); ++i) {
            requests.push_back(word(4 * i));
        }
        order.window = reinterpret_cast<const std::byte*>(memory.data());
        order.requests = requests.data();
        order.words = words.data();
        order.count = memory.size();
    }
};

} // namespace

TEST_CASE("the loops stop at the first word of ones and touch nothing after it") {
    for (const std::size_t ones_at : {0U, 1U, 2U, 3U, 4U, 7U, 9U}) {
        std::vector<std::uint32_t> values(10, 5);
        values[ones_at] = UINT32_MAX;
        Target target(values);
        const std::size_t done = ones_at % 2 == 0 ? load_contiguous<std::uint32_t>(target.order)
                                                  : load_scattered<std::uint32_t>(target.order);
        CHECK(done == ones_at + 1);
        for (std::size_t i = 0; i < 10; ++i) {
            CHECK(is_blank(target.words[i]) == (i > ones_at));
        }
        CHECK(target.words[ones_at].value == UINT32_MAX);
    }
}

TEST_CASE("a word of 64 ones that was loaded is told from one that was not") {
    std::vector<std::uint64_t> memory{UINT64_MAX, 1};
    const WordRequest request = word(0, 64);
    Word loaded = blank_word();
    LoadOrder order;
    order.window = reinterpret_cast<const std::byte*>(memory.data());
    order.requests = &request;
    order.words = &loaded;
    order.count = 1;
    CHECK(load_contiguous<std::uint64_t>(order) == 1);
    CHECK_FALSE(is_blank(loaded));
}

TEST_CASE("one stamp a load: each ends its load and begins the next") {
    Target target({1, 2, 3});
    ToldClock::next = 0;
    ToldClock::stamps = {100, 110, 135, 136};
    const LoadResult result = load_timed<std::uint32_t, ToldClock>(target.order);
    CHECK(result.count == 3);
    CHECK(ToldClock::next == 4);
    CHECK(target.words[0].nanoseconds == 10);
    CHECK(target.words[1].nanoseconds == 25);
    CHECK(target.words[2].nanoseconds == 1);
    SECTION("a clock that goes back is no time at all, one beyond 32 bits the most") {
        Target other({1, 2});
        ToldClock::next = 0;
        ToldClock::stamps = {100, 90, 90 + 0x500000000};
        const LoadResult late = load_timed<std::uint32_t, ToldClock>(other.order);
        CHECK(other.words[0].nanoseconds == 0);
        CHECK(other.words[1].nanoseconds == UINT32_MAX);
        CHECK(late.last_ticks == 0x500000000);
    }
    SECTION("a doubtful load ends the loop") {
        Target other({1, 2, 3});
        other.order.doubtful_ticks = 25;
        ToldClock::next = 0;
        ToldClock::stamps = {100, 110, 135, 136};
        CHECK(load_timed<std::uint32_t, ToldClock>(other.order).count == 2);
        CHECK(is_blank(other.words[2]));
    }
}

TEST_CASE("ticks become nanoseconds at the rate of the system's clock") {
    TickScale scale;
    const std::uint64_t begin_ns = MonotonicClock::now();
    const std::uint64_t begin = scale.uses_counter() ? CounterClock::now() : begin_ns;
    ::usleep(20000);
    const std::uint64_t end = scale.uses_counter() ? CounterClock::now() : MonotonicClock::now();
    const std::uint64_t end_ns = MonotonicClock::now();
    scale.update();
    const auto told = static_cast<double>(scale.to_ns(end - begin));
    const auto passed = static_cast<double>(end_ns - begin_ns);
    CHECK(told > 0.98 * passed - 100'000);
    CHECK(told < 1.02 * passed + 100'000);
    CHECK(scale.from_ns(scale.to_ns(1'000'000)) == Approx(1'000'000).epsilon(0.001));
}

namespace {

volatile sig_atomic_t interruptions = 0;

std::uint64_t processor_time() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
}

void use_the_processor(int) {
    const std::uint64_t end = processor_time() + 25'000'000;
    while (processor_time() < end) {
    }
    interruptions = interruptions + 1;
}

void give_the_processor_away(int) {
    timespec time{0, 25'000'000};
    ::nanosleep(&time, nullptr);
    interruptions = interruptions + 1;
}

// Reads a large BAR while a timer, set when its window is mapped, stretches one load.
// Again until it struck among the loads.
SpaceCapture read_interrupted(void (*handler)(int), const std::function<bool(const SpaceCapture&)>& struck) {
    const Tree tree;
    constexpr std::size_t count = 200'000;
    add_bar(tree, 0xfe000000, 4 * count, std::string(4 * count, '\x01'));
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    system->after_mmap = [] {
        const itimerval once{{0, 0}, {0, 500}};
        ::setitimer(ITIMER_REAL, &once, nullptr);
    };
    SpacePlan plan;
    for (std::size_t i = 0; i < count; ++i) {
        plan.words.push_back(word(4 * i));
    }
    plan.sentinels = {word(0)};
    struct sigaction action {};
    struct sigaction previous {};
    action.sa_handler = handler;
    ::sigaction(SIGALRM, &action, &previous);
    SpaceCapture capture;
    interruptions = 0;
    for (int tries = 0; tries < 100 && !struck(capture); ++tries) {
        interruptions = 0;
        capture = source->read(plan, {});
    }
    ::sigaction(SIGALRM, &previous, nullptr);
    return capture;
}

std::uint32_t longest(const SpaceCapture& capture) {
    std::uint32_t most = 0;
    for (const Word& got : capture.words) {
        most = std::max(most, got.nanoseconds);
    }
    return most;
}

std::size_t slow_ones(const SpaceCapture& capture) {
    return static_cast<std::size_t>(std::count_if(capture.words.begin(), capture.words.end(),
                                                  [](const Word& w) { return (w.flags & slow) != 0; }));
}

} // namespace

TEST_CASE(
    "a load that keeps the processor waiting for 10 ms or more is marked slow and the sentinel is asked") {
    const SpaceCapture capture =
        read_interrupted(use_the_processor, [](const SpaceCapture& c) { return longest(c) >= 20'000'000; });
    CHECK(longest(capture) >= 20'000'000);
    CHECK(longest(capture) < 1'000'000'000);
    CHECK(slow_ones(capture) ==
          static_cast<std::size_t>(std::count_if(capture.words.begin(), capture.words.end(),
                                                 [](const Word& w) { return w.nanoseconds >= 10'000'000; })));
    CHECK(capture.sentinel_loads >= 1);
    CHECK(capture.words[199'999].value == 0x01010101);
}

TEST_CASE("a load during which somebody else had the processor is not slow") {
    const SpaceCapture capture = read_interrupted(give_the_processor_away, [](const SpaceCapture& c) {
        return interruptions > 0 && c.elapsed_ns > 25'000'000;
    });
    CHECK(capture.elapsed_ns > 25'000'000);
    CHECK(longest(capture) < 20'000'000);
}

TEST_CASE("without timing no time is told") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\x01'));
    const SpaceCapture capture = open_source(tree)->read(plan_of({word(0), word(4)}), {false, 0, 0});
    CHECK(capture.words[0].nanoseconds == 0);
    CHECK(capture.words[1].nanoseconds == 0);
    CHECK(capture.started_ns > 1'700'000'000'000'000'000U);
    CHECK(capture.elapsed_ns > 0);
}
