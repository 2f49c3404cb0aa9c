#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>

#include <unistd.h>

#include <capture/watch.h>
#include <device/number.h>

using namespace barscope::tool;
using namespace std::chrono_literals;

TEST_CASE("seconds as people type them") {
    CHECK(parse_seconds("1") == 1'000'000'000U);
    CHECK(parse_seconds("0.5") == 500'000'000U);
    CHECK(parse_seconds("2.000000001") == 2'000'000'001U);
    CHECK(parse_seconds("86400") == 86'400'000'000'000U);
    for (const char* wrong : {"", "0", "0.0", ".", ".5", "5.", "-1", "+1", "1e3", "1,5", "1s", " 1", "0x1",
                              "86400.1", "18446744073709551616", "1.0000000001", "nan", "inf", "1.-5"}) {
        CHECK_FALSE(parse_seconds(wrong).has_value());
    }
}

TEST_CASE("a limit ends the work once and for all, waits included") {
    Watch watch({.limit = 50ms, .signals = nullptr, .progress = {}});
    CHECK(watch.go_on());
    CHECK(watch.why().empty());
    CHECK(watch.left(10s) <= 50ms);
    CHECK(watch.left(1ms) == 1ms);
    const auto begin = std::chrono::steady_clock::now();
    CHECK_FALSE(watch.wait(60'000'000'000));
    CHECK(std::chrono::steady_clock::now() - begin < 30s);
    CHECK_FALSE(watch.go_on());
    CHECK(watch.grant() == 0);
    CHECK(watch.left(10s) == 0ms);
    CHECK(watch.why() == "the time limit of 50 ms is over");
    const barscope::Error error = watch.error("0000:01:00.0");
    CHECK(error.cause == "time-limit");
    CHECK(barscope::exit_status(error.code) == 4);
}

TEST_CASE("durations in words") {
    CHECK(duration_text(1500ms) == "1.5 s");
    CHECK(duration_text(10s) == "10 s");
    CHECK(duration_text(120s) == "120 s");
    CHECK(duration_text(250ms) == "250 ms");
}

TEST_CASE("grants grow where loads are quick and shrink where they are not") {
    Watch watch({});
    std::size_t grant = 0;
    for (int i = 0; i < 20; ++i) {
        grant = watch.grant();
    }
    CHECK(grant >= 256);
    for (int i = 0; i < 4; ++i) {
        ::usleep(6000);
        const std::size_t next = watch.grant();
        CHECK(next < grant);
        grant = next;
    }
}

TEST_CASE("the first signal is an answer, the next one is what it always was") {
    for (const int signal : {SIGINT, SIGTERM}) {
        StopSignals signals;
        Watch watch({.limit = std::nullopt, .signals = &signals, .progress = {}});
        CHECK(watch.go_on());
        REQUIRE(::kill(::getpid(), signal) == 0);
        CHECK_FALSE(watch.wait(60'000'000'000));
        CHECK(watch.why() == (signal == SIGINT ? "stopped by SIGINT" : "stopped by SIGTERM"));
        CHECK(watch.error("x").cause == "stopped");
        sigset_t mask{};
        REQUIRE(::sigprocmask(SIG_BLOCK, nullptr, &mask) == 0);
        CHECK(sigismember(&mask, signal) == 0); // not held back any more
    }
}

TEST_CASE("a signal that nobody heeded does not end the program afterwards") {
    {
        const StopSignals signals;
        REQUIRE(::kill(::getpid(), SIGINT) == 0);
    }
    SUCCEED("still here");
}

TEST_CASE("a helper program ends with the signal, and takes no longer than what is left") {
    StopSignals signals;
    Watch watch({.limit = 3600s, .signals = &signals, .progress = {}});
    REQUIRE(::kill(::getpid(), SIGTERM) == 0);
    const auto begin = std::chrono::steady_clock::now();
    const auto output = run_child("/bin/sleep", {"60"}, within(&watch, {}));
    REQUIRE_FALSE(output.has_value());
    CHECK(output.error().cause == "helper-stopped");
    CHECK(std::chrono::steady_clock::now() - begin < 5s);
    CHECK_FALSE(watch.go_on());

    Watch brief({.limit = 100ms, .signals = nullptr, .progress = {}});
    const auto late = run_child("/bin/sleep", {"60"}, within(&brief, {}));
    REQUIRE_FALSE(late.has_value());
    CHECK(late.error().cause == "helper-timeout");
}
