#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <functional>

#include "load.h"
#include "pass.h"
#include "segments.h"
#include "word_check.h"

using namespace barscope::safety;

namespace {

WordRequest word(std::uint64_t offset, std::uint8_t width = 32) {
    return {offset, width, ReadAction::none, Split::none, ByteOrder::little};
}

// A device in a few lines: what each word reads as, and what it answers when it is asked.
class FakePort final : public LoadPort {
  public:
    explicit FakePort(const SpacePlan& plan) : plan_(plan) {}

    std::function<std::uint64_t(std::size_t index)> value = [](std::size_t index) { return index; };
    std::function<Answer()> answer = [] { return Answer::alive; };
    std::function<bool(std::size_t index)> faults = [](std::size_t) { return false; };
    std::function<bool(std::size_t index)> slow_load = [](std::size_t) { return false; };
    std::size_t refuse_after = SIZE_MAX; // loads
    std::uint32_t refuse_window = UINT32_MAX;

    std::vector<std::size_t> loads;       // indices, in order
    std::vector<std::size_t> asked_after; // number of loads made before each question
    std::vector<const WordRequest*> suspects;
    std::vector<std::chrono::milliseconds> pauses;

    barscope::Result<void> enter(const Segment& segment) override {
        if (segment.window == refuse_window) {
            return barscope::fail(
                {barscope::ErrorCode::permission, "exclusive-claim", "mmap: EINVAL", "", ""});
        }
        return {};
    }

    Step load(const Segment& segment, const WordRequest* requests, Word* words, std::size_t count) override {
        for (std::size_t i = 0; i < count; ++i) {
            const auto index = static_cast<std::size_t>(requests + i - plan_.words.data());
            if (loads.size() >= refuse_after) {
                return {i, Stop::refused};
            }
            loads.push_back(index);
            REQUIRE(is_blank(words[i]));
            if (faults(index)) {
                words[i] = Word{};
                words[i].status = WordStatus::lost;
                return {i + 1, Stop::fault};
            }
            words[i].value = value(index);
            if (slow_load(index)) {
                words[i].flags |= slow;
            }
            if (words[i].value == all_ones(segment.width)) {
                words[i].status = segment.width == 64 ? WordStatus::ok : WordStatus::not_attempted;
                return {i + 1, Stop::all_ones};
            }
            if (slow_load(index)) {
                return {i + 1, Stop::slow};
            }
        }
        return {count, Stop::none};
    }

    Answer ask(const WordRequest* suspect) override {
        suspects.push_back(suspect);
        asked_after.push_back(loads.size());
        return answer();
    }
    void pause(std::chrono::milliseconds time) override { pauses.push_back(time); }
    std::string why() const override { return refuse_after <= loads.size() ? "the log is full" : ""; }

  private:
    const SpacePlan& plan_;
};

SpacePlan plan_of(std::size_t count) {
    SpacePlan plan;
    for (std::size_t i = 0; i < count; ++i) {
        plan.words.push_back(word(4 * i));
    }
    return plan;
}

SpaceCapture run(const SpacePlan& plan, FakePort& port, const ReadOptions& options = {}) {
    SpaceCapture capture;
    const WordCheck check(plan, {0x100000, 0x100000});
    const auto segments = plan_segments(plan, check, capture.words, [](const WordRequest& request) {
        return static_cast<std::uint32_t>(request.offset >> 12U);
    });
    Pass pass(plan, options, port, capture);
    pass.run(segments);
    pass.finish();
    return capture;
}

constexpr std::uint64_t ones = 0xffffffff;

std::size_t count_of(const SpaceCapture& capture, WordStatus status) {
    return static_cast<std::size_t>(std::count_if(capture.words.begin(), capture.words.end(),
                                                  [&](const Word& w) { return w.status == status; }));
}

} // namespace

TEST_CASE("a device that is well is read word for word and asked nothing") {
    const SpacePlan plan = plan_of(200);
    FakePort port(plan);
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads.size() == 200);
    CHECK(std::is_sorted(port.loads.begin(), port.loads.end()));
    CHECK(port.suspects.empty());
    for (std::size_t i = 0; i < 200; ++i) {
        CHECK(capture.words[i].status == WordStatus::ok);
        CHECK(capture.words[i].value == i);
    }
    CHECK(capture.note.empty());
    CHECK_FALSE(capture.device_gone);
}

TEST_CASE("words that are refused are never loaded and carry no value") {
    SpacePlan plan = plan_of(4);
    plan.words[1].action = ReadAction::clear;
    plan.words[2].offset = 0x200000;
    FakePort port(plan);
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads == std::vector<std::size_t>{0, 3});
    CHECK(capture.words[1].status == WordStatus::side_effect);
    CHECK(capture.words[1].value == 0);
    CHECK(capture.words[2].status == WordStatus::out_of_range);
    CHECK(capture.words[2].value == 0);
}

TEST_CASE("field case 25: all ones with a live sentinel is a value") {
    const SpacePlan plan = plan_of(10);
    FakePort port(plan);
    port.value = [](std::size_t i) { return i == 3 ? ones : i; };
    const SpaceCapture capture = run(plan, port);
    CHECK(capture.words[3].status == WordStatus::all_ones_alive);
    CHECK(capture.words[3].value == ones);
    CHECK(has_value(capture.words[3].status));
    CHECK(port.loads.size() == 10);
    CHECK(port.asked_after == std::vector<std::size_t>{4}); // right after the word, before the next load
    CHECK(port.suspects[0] == &plan.words[3]);
}

TEST_CASE("field case 24: a device that is gone gets no further load, and what was read is kept") {
    const SpacePlan plan = plan_of(10);
    FakePort port(plan);
    port.value = [](std::size_t i) { return i >= 3 ? ones : i; };
    port.answer = [] { return Answer::gone; };
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads.size() == 4);
    CHECK(port.suspects.size() == 1);
    CHECK(capture.device_gone);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(capture.words[i].status == WordStatus::ok);
    }
    CHECK(capture.words[3].status == WordStatus::gone);
    for (std::size_t i = 4; i < 10; ++i) {
        CHECK(capture.words[i].status == WordStatus::not_attempted);
        CHECK(capture.words[i].value == 0);
    }
    CHECK_THAT(capture.note, Catch::Contains("stopped at word 3 of 10") && Catch::Contains("offset 0xc") &&
                                 Catch::Contains("does not answer") && Catch::Contains("0x0-0xf"));
}

TEST_CASE("field case 30: the BAR is dead while configuration space answers") {
    const SpacePlan plan = plan_of(10);
    FakePort port(plan);
    port.value = [](std::size_t) { return ones; };
    port.answer = [] { return Answer::bar_dead; };
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads.size() == 1);
    CHECK_FALSE(capture.device_gone);
    CHECK(capture.words[0].status == WordStatus::bar_dead);
    CHECK(capture.words[1].status == WordStatus::not_attempted);
    CHECK_THAT(capture.note, Catch::Contains("BAR does not answer, configuration space does"));
}

TEST_CASE("all ones that nothing can confirm is a suspect, and the pass goes on") {
    const SpacePlan plan = plan_of(10);
    FakePort port(plan);
    port.value = [](std::size_t i) { return i == 3 || i == 5 ? ones : i; };
    port.answer = [] { return Answer::unknown; };
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads.size() == 10);
    CHECK(capture.words[3].status == WordStatus::unconfirmed_ones);
    CHECK(capture.words[5].status == WordStatus::unconfirmed_ones);
    CHECK_FALSE(has_value(capture.words[3].status));
    CHECK(capture.words[9].value == 9);
}

TEST_CASE("a space full of ones asks twice a block, not once a word") {
    const SpacePlan plan = plan_of(256);
    FakePort port(plan);
    port.value = [](std::size_t) { return ones; };
    const SpaceCapture capture = run(plan, port);
    CHECK(count_of(capture, WordStatus::all_ones_alive) == 256);
    CHECK(port.loads.size() == 256);
    CHECK(port.asked_after == std::vector<std::size_t>{1, 64, 65, 128, 129, 192, 193, 256});
}

TEST_CASE("all ones since the sentinel last answered are gone, and what came before is kept") {
    const SpacePlan plan = plan_of(200);
    FakePort port(plan);
    // Word 70 holds ones for good; the device dies before word 90, noticed at the block's end.
    port.value = [](std::size_t i) { return i == 70 || i >= 90 ? ones : i; };
    port.answer = [&] { return port.loads.size() > 90 ? Answer::gone : Answer::alive; };
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads.size() == 128); // to the end of the block of 64, not a load further
    CHECK(capture.device_gone);
    CHECK(capture.words[70].status == WordStatus::all_ones_alive);
    CHECK(capture.words[89].value == 89);
    for (std::size_t i = 90; i < 128; ++i) {
        CHECK(capture.words[i].status == WordStatus::gone);
    }
    CHECK(count_of(capture, WordStatus::not_attempted) == 72);
    CHECK_THAT(capture.note, Catch::Contains("last loads: 0x100-0x1ff"));
}

TEST_CASE("a sentinel that reads all ones is an answer in itself, also within a block that was asked about") {
    SpacePlan plan = plan_of(10);
    plan.sentinels = {plan.words[6]};
    FakePort port(plan);
    port.value = [](std::size_t i) { return i == 2 || i >= 6 ? ones : i; };
    port.answer = [&] { return port.suspects.back() == &plan.words[6] ? Answer::gone : Answer::alive; };
    const SpaceCapture capture = run(plan, port);
    CHECK(capture.words[2].status == WordStatus::all_ones_alive);
    CHECK(capture.words[6].status == WordStatus::gone);
    CHECK(port.loads.size() == 7);
}

TEST_CASE("all ones of narrow and wide words are suspects too") {
    for (const std::uint8_t width : {std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{64}}) {
        SpacePlan plan;
        plan.words = {word(0, width), word(8, width)};
        FakePort port(plan);
        port.value = [&](std::size_t i) { return i == 0 ? all_ones(width) : 1; };
        CHECK(run(plan, port).words[0].status == WordStatus::all_ones_alive);
        CHECK(port.suspects.size() == 1);
    }
}

TEST_CASE("poison is shown as such and the device is asked at the block's end") {
    SpacePlan plan = plan_of(100);
    plan.poison = {{0xffff0000, 0xbadf0000, 32}, {0xffffffff, 0xdeaddead, 32}};
    FakePort port(plan);
    port.value = [](std::size_t i) { return i == 5 ? 0xbadf1000U : i == 7 ? 0xdeaddeadU : i; };
    SECTION("alive") {
        const SpaceCapture capture = run(plan, port);
        CHECK(capture.words[5].status == WordStatus::poison);
        CHECK(capture.words[7].status == WordStatus::poison);
        CHECK_FALSE(has_value(capture.words[5].status));
        CHECK(capture.words[6].status == WordStatus::ok);
        CHECK(port.loads.size() == 100);
        CHECK(port.asked_after == std::vector<std::size_t>{64});
    }
    SECTION("dead: the block is named") {
        port.answer = [] { return Answer::gone; };
        const SpaceCapture capture = run(plan, port);
        CHECK(port.loads.size() == 64);
        CHECK(capture.device_gone);
        CHECK(capture.words[63].value == 63);
        CHECK(capture.words[64].status == WordStatus::not_attempted);
        CHECK_THAT(capture.note, Catch::Contains("last loads: 0x0-0xff"));
    }
    SECTION("ones that the map lists as poison are not a value of a live device") {
        plan.poison = {{0xffffffff, 0xffffffff, 32}};
        port.value = [](std::size_t i) { return i == 5 ? ones : i; };
        CHECK(run(plan, port).words[5].status == WordStatus::poison);
    }
}

TEST_CASE("a slow load is marked, and the device is asked at the block's end and once more at the end") {
    SpacePlan plan = plan_of(200);
    FakePort port(plan);
    port.slow_load = [](std::size_t i) { return i == 10; };
    const SpaceCapture capture = run(plan, port);
    CHECK((capture.words[10].flags & slow) != 0);
    CHECK(capture.words[10].status == WordStatus::ok);
    CHECK(port.asked_after == std::vector<std::size_t>{64, 200});
    CHECK(port.loads.size() == 200);
}

TEST_CASE("a fault loses its word and nothing else") {
    SpacePlan plan = plan_of(10);
    FakePort port(plan);
    port.faults = [](std::size_t i) { return i == 4 || i == 5; };
    const SpaceCapture capture = run(plan, port);
    CHECK(capture.words[4].status == WordStatus::lost);
    CHECK(capture.words[5].status == WordStatus::lost);
    CHECK(count_of(capture, WordStatus::ok) == 8);
    CHECK(port.loads.size() == 10);
    CHECK(capture.words[9].value == 9);
}

TEST_CASE("field case 60: a source that refuses at a word keeps the earlier ones and says where it stopped") {
    SpacePlan plan = plan_of(10);
    FakePort port(plan);
    port.refuse_after = 3;
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads == std::vector<std::size_t>{0, 1, 2});
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(capture.words[i].value == i);
        CHECK(capture.words[i].status == WordStatus::ok);
    }
    CHECK(count_of(capture, WordStatus::not_attempted) == 7);
    CHECK_THAT(capture.note,
               Catch::Contains("stopped at word 3 of 10") && Catch::Contains("the log is full"));
}

TEST_CASE("a window that cannot be mapped any more ends the pass with its reason") {
    SpacePlan plan;
    plan.words = {word(0), word(4), word(0x1000), word(0x2000)};
    FakePort port(plan);
    port.refuse_window = 1;
    const SpaceCapture capture = run(plan, port);
    CHECK(port.loads == std::vector<std::size_t>{0, 1});
    CHECK(capture.words[1].status == WordStatus::ok);
    CHECK(capture.words[2].status == WordStatus::not_attempted);
    CHECK(capture.words[3].status == WordStatus::not_attempted);
    CHECK_THAT(capture.note, Catch::Contains("mmap: EINVAL"));
}

TEST_CASE("ones that were waiting for an answer when the pass ended stay unconfirmed") {
    SpacePlan plan = plan_of(10);
    FakePort port(plan);
    port.value = [](std::size_t i) { return i == 1 || i == 2 ? ones : i; };
    port.refuse_after = 4;
    const SpaceCapture capture = run(plan, port);
    CHECK(capture.words[1].status == WordStatus::all_ones_alive);
    CHECK(capture.words[2].status == WordStatus::unconfirmed_ones);
}

TEST_CASE("field case 26: retries are off unless asked for, bounded, and marked") {
    SpacePlan plan = plan_of(6);
    FakePort port(plan);
    bool dead = true;
    port.value = [&](std::size_t i) { return dead && i >= 2 ? ones : i; };
    port.answer = [&] { return dead ? Answer::gone : Answer::alive; };
    SECTION("not asked for") {
        CHECK(run(plan, port).device_gone);
        CHECK(port.pauses.empty());
        CHECK(port.loads.size() == 3);
    }
    SECTION("answers on the second try") {
        port.answer = [&] {
            dead = false; // from the next load on
            return Answer::gone;
        };
        const SpaceCapture capture = run(plan, port, {true, 0, 3});
        CHECK(port.pauses == std::vector<std::chrono::milliseconds>{std::chrono::milliseconds(100)});
        CHECK(capture.words[2].status == WordStatus::ok);
        CHECK(capture.words[2].value == 2);
        CHECK((capture.words[2].flags & answered_on_retry) != 0);
        CHECK((capture.words[1].flags & answered_on_retry) == 0);
        CHECK((capture.words[3].flags & answered_on_retry) == 0);
        CHECK(capture.words[5].value == 5);
        CHECK_FALSE(capture.device_gone);
    }
    SECTION("never answers: n tries and no more") {
        const SpaceCapture capture = run(plan, port, {true, 0, 3});
        CHECK(capture.device_gone);
        CHECK(port.pauses.size() == 3);
        CHECK(port.loads == std::vector<std::size_t>{0, 1, 2, 2, 2, 2});
        CHECK(capture.words[2].status == WordStatus::gone);
        CHECK(capture.words[3].status == WordStatus::not_attempted);
    }
    SECTION("the word still holds ones, but the sentinel answers again") {
        port.value = [](std::size_t i) { return i == 2 ? ones : i; };
        port.answer = [&] { return port.pauses.empty() ? Answer::gone : Answer::alive; };
        const SpaceCapture capture = run(plan, port, {true, 0, 1});
        CHECK(capture.words[2].status == WordStatus::all_ones_alive);
        CHECK((capture.words[2].flags & answered_on_retry) != 0);
        CHECK(capture.words[5].value == 5);
    }
    SECTION("every word of ones since the last good answer is read again") {
        // 1 is asked about and alive; 3, 4 and 5 wait for the end, where the device is dead; then it comes
        // back.
        port.value = [&](std::size_t i) { return (dead && i >= 3) || i == 1 ? ones : i; };
        port.answer = [&] {
            const bool first_question = port.suspects.size() == 1;
            dead = first_question || port.pauses.size() > 1;
            return first_question ? Answer::alive : Answer::gone;
        };
        const SpaceCapture capture = run(plan, port, {true, 0, 1});
        CHECK(port.loads == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 5, 3, 4});
        for (std::size_t i = 3; i < 6; ++i) {
            CHECK(capture.words[i].value == i);
            CHECK(capture.words[i].status == WordStatus::ok);
            CHECK((capture.words[i].flags & answered_on_retry) != 0);
        }
        CHECK(capture.words[1].status == WordStatus::all_ones_alive);
    }
    SECTION("the word is lost on the second try") {
        port.faults = [&](std::size_t i) { return i == 2 && !port.pauses.empty(); };
        const SpaceCapture capture = run(plan, port, {true, 0, 1});
        CHECK(capture.device_gone);
        CHECK(capture.words[2].status == WordStatus::gone);
    }
}
