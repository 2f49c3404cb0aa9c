#include <catch2/catch.hpp>

#include <safety/config_space.h>

#include "access_log.h"
#include "pacing.h"
#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;
using barscope::ErrorCode;

namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The text with each number turned into one #.
std::string shape(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || out.empty() || out.back() != '#') {
            out += digit ? '#' : c;
        }
    }
    return out;
}

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Notes the order of writes and syncs, and can fail or write short.
class LogSystem final : public RecordingSystem {
  public:
    std::string calls;
    int fail_after = -1; // writes
    std::size_t most = SIZE_MAX;
    ssize_t write(int fd, const void* data, std::size_t size) override {
        calls += 'w';
        if (fail_after == 0) {
            errno = ENOSPC;
            return -1;
        }
        fail_after -= fail_after > 0 ? 1 : 0;
        return System::write(fd, data, std::min(size, most));
    }
    int fsync(int fd) override {
        calls += 's';
        return System::fsync(fd);
    }
};

class CountingLog final : public AccessLog {
  public:
    std::vector<std::tuple<std::string, std::uint64_t, unsigned>> noted;
    std::size_t refuse_after = SIZE_MAX;
    barscope::Result<void> intend(const std::string& space, std::uint64_t offset, unsigned width) override {
        if (noted.size() >= refuse_after) {
            return barscope::fail({ErrorCode::output, "access-log", "write: ENOSPC", "/log", ""});
        }
        noted.emplace_back(space, offset, width);
        return {};
    }
};

// A clock that only a test moves, and that takes 100 ns to be read.
class TurnedClock final : public System {
  public:
    std::uint64_t time = 0;
    std::uint64_t monotonic_ns() override { return time += 100; }
    void sleep_ns(std::uint64_t duration) override { time += duration; }
};

using Noted = std::tuple<std::string, std::uint64_t, unsigned>;

} // namespace

TEST_CASE("each load is written and synced before it is made") {
    const Tree tree;
    const std::string path = tree.path("/access.log");
    const auto system = std::make_shared<LogSystem>();
    const auto log = create_access_log_with(system, path).value();
    CHECK(system->calls == "s"); // the folder
    system->calls.clear();
    REQUIRE(log->intend("bar0", 0x520, 32).has_value());
    REQUIRE(log->intend("bar2", 0x105867000, 64).has_value());
    CHECK(system->calls == "wsws");
    const std::string text = contents(path);
    CHECK(shape(text) == "bar# #x# # #-#-#T#:#:#.#Z\nbar# #x# # #-#-#T#:#:#.#Z\n");
    CHECK_THAT(text, Catch::StartsWith("bar0 0x520 32 20") && Catch::Contains("\nbar2 0x105867000 64 20"));
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600);
}

TEST_CASE("an access log is a new file: one that exists is neither opened nor changed") {
    const Tree tree;
    const std::string path = tree.path("/access.log");
    REQUIRE(AccessLog::create(path).value()->intend("bar0", 0, 32).has_value());
    CHECK_FALSE(AccessLog::create(path).has_value());
    CHECK(lines(contents(path)) == 1);
}

TEST_CASE("places where an access log cannot be") {
    const Tree tree;
    const auto refused = [](const std::string& path) {
        const auto log = AccessLog::create(path);
        REQUIRE_FALSE(log.has_value());
        CHECK(log.error().code == ErrorCode::output);
        CHECK(log.error().cause == "access-log");
        return log.error().what;
    };
    Tree::write_file(tree.path("/precious"), "x");
    std::filesystem::create_symlink(tree.path("/precious"), tree.path("/link"));
    CHECK_THAT(refused(tree.path("/link")), Catch::Contains("EEXIST")); // not followed
    CHECK(contents(tree.path("/precious")) == "x");
    CHECK_THAT(refused(tree.path("/no/such/folder")), Catch::Contains("ENOENT"));
    CHECK_THAT(refused(tree.path("/")), Catch::Contains("E")); // EEXIST or EISDIR
    CHECK_THAT(refused("/dev/null"), Catch::Contains("EEXIST"));
    REQUIRE(::mkfifo(tree.path("/pipe").c_str(), 0600) == 0);
    CHECK_THAT(refused(tree.path("/pipe")), Catch::Contains("EEXIST")); // and does not wait for a reader
}

TEST_CASE("a line is written whole, and a failing disk is an error") {
    const Tree tree;
    const auto system = std::make_shared<LogSystem>();
    const auto log = create_access_log_with(system, tree.path("/log")).value();
    system->most = 3;
    REQUIRE(log->intend("bar0", 0x10, 32).has_value());
    CHECK(lines(contents(tree.path("/log"))) == 1);
    CHECK_THAT(contents(tree.path("/log")), Catch::StartsWith("bar0 0x10 32 "));
    system->fail_after = 0;
    CHECK_THAT(log->intend("bar0", 0x14, 32).error().what, Catch::Contains("write: ENOSPC"));
}

TEST_CASE("the log names every load that reaches the device, and no other") {
    const Tree tree;
    std::string bytes(0x2000, '\x11');
    bytes.replace(0x10, 4, "\xff\xff\xff\xff");
    add_bar(tree, 0xfe000000, 0x2000, bytes);
    CountingLog log;
    SpacePlan plan = plan_of({word(0x10), word(0x20, 8), word(0x30), word(0x1004, 64), word(0x40, 32)});
    plan.words[2].action = ReadAction::clear;
    plan.words[3].split = Split::hi_lo_hi;
    plan.words[4].offset = 0x9000;
    plan.sentinels = {word(0x100, 16)};
    SECTION("in order, sentinels and halves too") {
        const SpaceCapture capture = open_source(tree, nullptr, 0, {&log})->read(plan, {});
        CHECK(log.noted == std::vector<Noted>{{"bar0", 0x10, 32},
                                              {"bar0", 0x100, 16},
                                              {"bar0", 0x20, 8},
                                              {"bar0", 0x1008, 32},
                                              {"bar0", 0x1004, 32},
                                              {"bar0", 0x1008, 32}});
        CHECK(capture.loads == 5);
        CHECK(capture.sentinel_loads == 1);
    }
    SECTION("a load that cannot be noted is not made") {
        log.refuse_after = 3;
        const SpaceCapture capture = open_source(tree, nullptr, 0, {&log})->read(plan, {});
        CHECK(capture.words[1].status == WordStatus::ok);
        CHECK(capture.words[3].status == WordStatus::not_attempted);
        CHECK(capture.words[3].value == 0);
        CHECK(capture.loads == 2);
        CHECK_THAT(capture.note, Catch::Contains("ENOSPC") && Catch::Contains("stopped at word 3"));
    }
    SECTION("nor in the middle of a split word") {
        log.refuse_after = 4;
        const SpaceCapture capture = open_source(tree, nullptr, 0, {&log})->read(plan, {});
        CHECK(capture.words[3].status == WordStatus::not_attempted);
        CHECK(capture.loads == 3);
    }
    SECTION("nor a sentinel") {
        log.refuse_after = 1;
        const SpaceCapture capture = open_source(tree, nullptr, 0, {&log})->read(plan, {});
        CHECK(capture.sentinel_loads == 0);
        CHECK(capture.words[0].status == WordStatus::unconfirmed_ones); // not asked is not dead
        CHECK(capture.loads == 1);
        CHECK_FALSE(capture.device_gone);
        CHECK_THAT(capture.note, Catch::Contains("ENOSPC"));
    }
    SECTION("nor a sentinel after the last word") {
        log.refuse_after = 1;
        plan.words.resize(1);
        const SpaceCapture capture = open_source(tree, nullptr, 0, {&log})->read(plan, {});
        CHECK(capture.words[0].status == WordStatus::unconfirmed_ones);
        CHECK_THAT(capture.note, Catch::Contains("ENOSPC"));
    }
}

TEST_CASE("reads of configuration space are noted too") {
    const Tree tree;
    add_device(tree, rows({}));
    CountingLog log;
    const auto source = make_config_source(
        ConfigSpace::open(tree.root(), parse_pci_address("01:00.0").value()).value(), &log);
    log.refuse_after = 2;
    const SpaceCapture capture = source->read(plan_of({word(0, 16), word(4, 32), word(8, 8)}), {});
    CHECK(log.noted == std::vector<Noted>{{"config", 0, 16}, {"config", 4, 32}});
    CHECK(capture.loads == 2);
    CHECK(capture.words[0].value == 0x14e4);
    CHECK(capture.words[2].status == WordStatus::not_attempted);
    CHECK(capture.words[2].value == 0);
    CHECK_THAT(capture.note, Catch::Contains("ENOSPC"));
}

TEST_CASE("loads a second are bounded, also after a pause") {
    TurnedClock clock;
    Pacing pacing(clock, 1000); // one each millisecond
    std::vector<std::uint64_t> times;
    for (int i = 0; i < 50; ++i) {
        pacing.wait();
        times.push_back(clock.time);
        clock.time += i == 20 ? 500'000'000 : 300; // a long pause gives no right to a burst
    }
    for (std::size_t i = 1; i < times.size(); ++i) {
        CHECK(times[i] - times[i - 1] >= 999'800); // within two looks at the clock
    }
    CHECK(times[20] - times[0] < 21'000'000);
    CHECK_FALSE(Pacing(clock, 0).active());
}

TEST_CASE("pacing holds for every load of a pass, sentinels and halves too") {
    const Tree tree;
    std::string bytes(0x1000, '\x11');
    bytes.replace(0x10, 4, "\xff\xff\xff\xff");
    add_bar(tree, 0xfe000000, 0x1000, bytes);
    const auto clock = std::make_shared<TurnedClock>();
    SpacePlan plan = plan_of({word(0x10), word(0x14, 64), word(0x20)});
    plan.words[1].split = Split::hi_lo_hi;
    plan.sentinels = {word(0x100)};
    const std::uint64_t before = clock->time;
    const SpaceCapture capture = open_source(tree, clock)->read(plan, {false, 10, 0});
    CHECK(capture.loads + capture.sentinel_loads == 6);
    CHECK(clock->time - before >= 500'000'000); // five intervals of 100 ms
    CHECK(clock->time - before < 700'000'000);
}
