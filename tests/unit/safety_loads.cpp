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

// The accessor alone, so that its machine code can be looked at.
template <typename T>
[[gnu::noinline]] T accessor(const std::byte* address) {
    return load_once<T>(address);
}

std::vector<std::string> disassemble(const void* function) {
    Dl_info info{};
    REQUIRE(::dladdr(function, &info) != 0);
    const auto* header = static_cast<const Elf64_Ehdr*>(info.dli_fbase);
    const auto at = reinterpret_cast<std::uintptr_t>(function) -
                    (header->e_type == ET_DYN ? reinterpret_cast<std::uintptr_t>(info.dli_fbase) : 0);
    const std::string command = "objdump -d --no-show-raw-insn --start-address=" + std::to_string(at) +
                                " --stop-address=" + std::to_string(at + 1024) + " /proc/" +
                                std::to_string(::getpid()) + "/exe 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::vector<std::string> lines;
    std::array<char, 512> line{};
    int symbols = 0;
    while (::fgets(line.data(), line.size(), pipe.get()) != nullptr) {
        const std::string text(line.data());
        symbols += text.find(">:") != std::string::npos ? 1 : 0;
        const std::size_t tab = text.find(":\t");
        if (symbols == 1 && tab != std::string::npos) {
            lines.push_back(text.substr(tab + 2));
        }
    }
    return lines;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// Instructions that read memory other than the stack.
std::vector<std::string> memory_loads(const std::vector<std::string>& code) {
    std::vector<std::string> loads;
    for (const std::string& line : code) {
        const std::size_t open = line.find('(');
        const std::size_t close = line.find(')');
        const bool source = open != std::string::npos && close + 1 < line.size() && line[close + 1] == ',';
        if (source && !contains(line, "lea") && !contains(line, "(%rsp") && !contains(line, "(%rbp")) {
            loads.push_back(line);
        }
    }
    return loads;
}

template <typename T>
void check_accessor(const std::string& instruction, const std::string& destination) {
    const auto code = disassemble(reinterpret_cast<const void*>(&accessor<T>));
    if (code.empty()) {
        WARN("objdump is not there: the accessor's machine code was not looked at");
        return;
    }
    std::vector<std::string> loads = memory_loads(code);
    for (const std::string& line : code) {
        if (contains(line, "call") && contains(line, "load_once")) { // not inlined in a debug build
            for (std::string& inner :
                 memory_loads(disassemble(reinterpret_cast<const void*>(&load_once<T>)))) {
                loads.push_back(std::move(inner));
            }
        }
    }
    REQUIRE(loads.size() == 1);
    CHECK_THAT(loads[0], Catch::StartsWith(instruction) && Catch::Contains(destination));
}

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

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)

TEST_CASE("field cases 3, 39 and 40: the accessor is one load instruction of the right size") {
    check_accessor<std::uint8_t>("movzbl", ",%e");
    check_accessor<std::uint16_t>("movzwl", ",%e");
    check_accessor<std::uint32_t>("mov ", ",%e");
    check_accessor<std::uint64_t>("mov ", ",%r");
}

TEST_CASE(
    "field case 39: the loops hold no vector, string or paired loads and no call of a copying function") {
    const std::vector<const void*> loops{
        reinterpret_cast<const void*>(&load_contiguous<std::uint8_t>),
        reinterpret_cast<const void*>(&load_contiguous<std::uint16_t>),
        reinterpret_cast<const void*>(&load_contiguous<std::uint32_t>),
        reinterpret_cast<const void*>(&load_contiguous<std::uint64_t>),
        reinterpret_cast<const void*>(&load_scattered<std::uint8_t>),
        reinterpret_cast<const void*>(&load_scattered<std::uint32_t>),
        reinterpret_cast<const void*>(&load_scattered<std::uint64_t>),
        reinterpret_cast<const void*>(&load_timed<std::uint32_t, CounterClock>),
        reinterpret_cast<const void*>(&load_timed<std::uint64_t, MonotonicClock>)};
    for (const void* loop : loops) {
        for (const std::string& line : disassemble(loop)) {
            INFO(line);
            const bool vector_load =
                contains(line, "(%r") &&
                (contains(line, ",%xmm") || contains(line, ",%ymm") || contains(line, ",%zmm"));
            CHECK_FALSE(vector_load);
            CHECK_FALSE(contains(line, "rep "));
            CHECK_FALSE(contains(line, "memcpy"));
            CHECK_FALSE(contains(line, "memmove"));
        }
    }
}

#endif

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
