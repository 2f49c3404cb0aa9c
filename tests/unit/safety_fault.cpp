#include <catch2/catch.hpp>

#include <csignal>
#include <cstring>
#include <thread>

#include <sys/wait.h>

#include "fault_guard.h"
#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

std::string numbered(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i + 4 <= size; i += 4) {
        put(bytes, i, 0x1000 + i, 4);
    }
    return bytes;
}

// One page that may not be touched.
class Forbidden {
  public:
    Forbidden() : address_(::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
    ~Forbidden() { ::munmap(address_, 4096); }
    Forbidden(const Forbidden&) = delete;
    Forbidden& operator=(const Forbidden&) = delete;
    const volatile char* get() const { return static_cast<const volatile char*>(address_); }
    const void* begin() const { return address_; }

  private:
    void* address_;
};

// How a child that runs `work` ends: its exit status, or 1000 + the signal.
template <typename Work>
int ends_with(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int signal : {SIGSEGV, SIGBUS}) { // not Catch's or a sanitizer's
            ::signal(signal, SIG_DFL);
        }
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

volatile sig_atomic_t seen_signal = 0;
volatile sig_atomic_t seen_code = 0;
sigjmp_buf way_out;

} // namespace

TEST_CASE("field case 31: a BAR that is cut between two reads") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x4000, numbered(0x4000));
    const auto source = open_source(tree);
    const SpacePlan plan =
        plan_of({word(0x0), word(0xffc), word(0x1000), word(0x1800), word(0x2000), word(0x3ffc)});
    CHECK(source->read(plan, {}).words[5].value == 0x1000 + 0x3ffc);
    std::filesystem::resize_file(tree.device("resource0"), 0x1804);
    const SpaceCapture capture = source->read(plan, {});
    CHECK(capture.words[0].value == 0x1000);
    CHECK(capture.words[3].value == 0x2800);
    CHECK(capture.words[3].status == WordStatus::ok);
    CHECK(capture.words[4].status == WordStatus::short_source);
    CHECK(capture.words[5].status == WordStatus::short_source);
}

TEST_CASE("field case 31: a BAR that is cut while it is read") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x4000, numbered(0x4000));
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    system->after_mmap = [&] { std::filesystem::resize_file(tree.device("resource0"), 0x1804); };
    const bool timing = GENERATE(true, false);
    SECTION("whole pages fault and only their words are lost; the padding of the last page is no value") {
        SpacePlan plan = plan_of({word(0x0), word(0xffc), word(0x1800), word(0x1804), word(0x1ffc),
                                  word(0x2000), word(0x2004, 64), word(0x3000, 8), word(0x3ffc)});
        plan.words[6].offset = 0x2008;
        const SpaceCapture capture = source->read(plan, {timing, 0, 0});
        const std::vector<WordStatus> expected{
            WordStatus::ok,           WordStatus::ok,           WordStatus::ok,
            WordStatus::short_source, WordStatus::short_source, WordStatus::lost,
            WordStatus::lost,         WordStatus::lost,         WordStatus::lost};
        for (std::size_t i = 0; i < expected.size(); ++i) {
            INFO(i << " " << name(capture.words[i].status));
            CHECK(capture.words[i].status == expected[i]);
            CHECK((has_value(capture.words[i].status) || capture.words[i].value == 0));
        }
        CHECK(capture.words[1].value == 0x1ffc);
        CHECK(capture.words[2].value == 0x2800);
        CHECK(capture.loads == 9);
    }
    SECTION("in halves") {
        SpacePlan plan = plan_of({word(0x1000, 64), word(0x2ffc, 64), word(0x3000, 64)});
        for (WordRequest& request : plan.words) {
            request.split = Split::hi_lo_hi;
        }
        const SpaceCapture capture = source->read(plan, {timing, 0, 0});
        CHECK(capture.words[0].value == 0x0000200400002000);
        CHECK(capture.words[1].status == WordStatus::lost);
        CHECK(capture.words[2].status == WordStatus::lost);
        CHECK(capture.loads == 3 + 1 + 1);
    }
    SECTION("a lost sentinel does not answer") {
        SpacePlan plan = plan_of({word(0x10)});
        Tree::write_file(tree.device("resource0"), std::string(0x4000, '\xff'));
        plan.sentinels = {word(0x3000)};
        CHECK(source->read(plan, {timing, 0, 0}).words[0].status == WordStatus::bar_dead);
    }
}

TEST_CASE("a revoked mapping of many pages costs a fault a word, in linear time") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x100000, numbered(0x100000));
    const auto system = std::make_shared<RecordingSystem>();
    const auto source = open_source(tree, system);
    system->after_mmap = [&] { std::filesystem::resize_file(tree.device("resource0"), 0x1000); };
    SpacePlan plan;
    for (std::uint64_t offset = 0; offset < 0x40000; offset += 4) {
        plan.words.push_back(word(offset));
    }
    const SpaceCapture capture = source->read(plan, {false, 0, 0});
    CHECK(capture.words[0x3ff].value == 0x1ffc);
    CHECK(capture.words[0x400].status == WordStatus::lost);
    CHECK(capture.words.back().status == WordStatus::lost);
    CHECK(capture.loads == plan.words.size());
    CHECK(capture.elapsed_ns < 5'000'000'000U); // 64,512 faults
}

TEST_CASE("the handlers are there during a read and what was before is put back") {
    struct sigaction before {};
    struct sigaction after {};
    ::sigaction(SIGBUS, nullptr, &before);
    {
        const FaultGuard outer;
        struct sigaction during {};
        ::sigaction(SIGBUS, nullptr, &during);
        CHECK((during.sa_flags & SA_SIGINFO) != 0);
        CHECK(std::memcmp(&during.sa_sigaction, &before.sa_sigaction, sizeof during.sa_sigaction) != 0);
        { const FaultGuard inner; }
        struct sigaction still {};
        ::sigaction(SIGBUS, nullptr, &still);
        CHECK(std::memcmp(&still.sa_sigaction, &during.sa_sigaction, sizeof still.sa_sigaction) == 0);
    }
    ::sigaction(SIGBUS, nullptr, &after);
    CHECK(std::memcmp(&after.sa_sigaction, &before.sa_sigaction, sizeof after.sa_sigaction) == 0);
    // glibc's own flag (SA_RESTORER on x86) appears with the first setting, whatever is set.
    constexpr int flags_of_ours = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    CHECK((after.sa_flags & flags_of_ours) == (before.sa_flags & flags_of_ours));
}

TEST_CASE("a fault in the region is an answer, also with its signal blocked before, and the mask is kept") {
    const Forbidden page;
    sigset_t blocked{};
    sigset_t previous{};
    sigset_t now{};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGSEGV);
    sigaddset(&blocked, SIGUSR1);
    REQUIRE(::pthread_sigmask(SIG_BLOCK, &blocked, &previous) == 0);
    {
        FaultGuard guard;
        for (int i = 0; i < 3; ++i) {
            CHECK_FALSE(guard.run(page.begin(), 4096, [&] { static_cast<void>(page.get()[8]); }));
        }
        CHECK(guard.run(page.begin(), 4096, [] {}));
    }
    ::pthread_sigmask(SIG_SETMASK, &previous, &now);
    CHECK(sigismember(&now, SIGSEGV) == 1);
    CHECK(sigismember(&now, SIGUSR1) == 1);
    CHECK(sigismember(&now, SIGBUS) == 0);
}

TEST_CASE("faults that are not ours go where they went before") {
    const Forbidden ours;
    const Forbidden foreign;
    SECTION("to the default: the process ends by the signal") {
        CHECK(ends_with([&] {
                  FaultGuard guard;
                  guard.run(ours.begin(), 4096, [&] { static_cast<void>(foreign.get()[0]); });
              }) == 1000 + SIGSEGV);
        CHECK(ends_with([&] {
                  const FaultGuard guard;
                  static_cast<void>(ours.get()[0]); // outside of a guarded call
              }) == 1000 + SIGSEGV);
    }
    SECTION("to a handler with information") {
        CHECK(ends_with([&] {
                  struct sigaction action {};
                  action.sa_sigaction = [](int, siginfo_t* info, void*) {
                      seen_code = info->si_code;
                      siglongjmp(way_out, 1);
                  };
                  action.sa_flags = SA_SIGINFO | SA_NODEFER;
                  ::sigaction(SIGSEGV, &action, nullptr);
                  const FaultGuard guard;
                  if (sigsetjmp(way_out, 1) == 0) {
                      static_cast<void>(foreign.get()[0]);
                  }
                  ::_exit(seen_code == SEGV_ACCERR ? 42 : 1);
              }) == 42);
    }
    SECTION("to a plain handler") {
        CHECK(ends_with([&] {
                  ::signal(SIGBUS, [](int signal) { seen_signal = signal; });
                  const FaultGuard guard;
                  ::raise(SIGBUS);
                  ::_exit(seen_signal == SIGBUS ? 42 : 1);
              }) == 42);
    }
    SECTION("a signal that somebody sent ends the process, or is ignored if it was") {
        CHECK(ends_with([] {
                  const FaultGuard guard;
                  ::raise(SIGBUS);
              }) == 1000 + SIGBUS);
        CHECK(ends_with([] {
                  ::signal(SIGBUS, SIG_IGN);
                  const FaultGuard guard;
                  ::raise(SIGBUS);
              }) == 0);
    }
}

TEST_CASE("two threads read and lose words at once") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x8000, numbered(0x8000));
    std::vector<std::shared_ptr<RecordingSystem>> systems;
    std::vector<std::unique_ptr<WordSource>> sources;
    SpacePlan plan = plan_of({word(0x0), word(0x7000), word(0x7ffc)});
    for (int i = 0; i < 2; ++i) {
        systems.push_back(std::make_shared<RecordingSystem>());
        sources.push_back(open_source(tree, systems.back()));
    }
    std::filesystem::resize_file(tree.device("resource0"), 0x1000);
    std::vector<unsigned> lost(2);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
        systems[i]->shown_size = 0x8000; // as if it were cut after fstat
        threads.emplace_back([&, i] {
            for (int round = 0; round < 300; ++round) {
                for (const Word& got : sources[i]->read(plan, {}).words) {
                    lost[i] += got.status == WordStatus::lost ? 1 : 0;
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(lost == std::vector<unsigned>{600, 600});
}
