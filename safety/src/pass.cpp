#include "pass.h"

#include <algorithm>

#include <fmt/format.h>

#include "load.h"
#include "word_check.h"

namespace barscope::safety {
namespace {

constexpr std::chrono::milliseconds retry_pause{100};
// Where no load is timed, a slow one is noticed only when the watch is asked again.
constexpr std::size_t untimed_grant = 8;

// A word as the port leaves it where nothing happened.
bool is_plain(const Word& word) {
    return word.status == WordStatus::ok || word.status == WordStatus::not_attempted;
}

bool is_dead(Answer answer) {
    return answer == Answer::gone || answer == Answer::bar_dead;
}

} // namespace

Pass::Pass(const SpacePlan& plan, const ReadOptions& options, LoadPort& port, SpaceCapture& capture)
    : plan_(plan), options_(options), port_(port), capture_(capture) {}

void Pass::run(std::span<const Segment> segments) {
    segments_ = segments;
    for (const Segment& segment : segments) {
        if (!run_segment(segment)) {
            return;
        }
    }
    const bool asked_at_the_end = !pending_.empty() || suspicious_;
    if (close_block() && !asked_at_the_end && any_slow_ && plan_.words.size() > block_words) {
        settle(ask_with_retries(port_.ask(nullptr)));
    }
    if (capture_.note.empty()) {
        capture_.note = port_.why(); // a question that could not be asked after the last word
    }
}

void Pass::finish() {
    for (const Segment& segment : segments_) {
        const std::size_t end = segment.first + segment.count;
        const std::size_t loaded = std::clamp(loaded_end_, segment.first, end);
        for (std::size_t i = segment.first; i < loaded; ++i) {
            if (capture_.words[i].status == WordStatus::not_attempted) {
                capture_.words[i].status = WordStatus::ok;
            }
        }
        std::fill(capture_.words.begin() + static_cast<std::ptrdiff_t>(loaded),
                  capture_.words.begin() + static_cast<std::ptrdiff_t>(end), Word{});
    }
}

bool Pass::run_segment(const Segment& segment) {
    const std::size_t end = segment.first + segment.count;
    for (std::size_t i = segment.first; i < end;) {
        if (i / block_words != block_) {
            if (!close_block()) {
                return false;
            }
            block_ = i / block_words;
        }
        if (const Result<void> entered = port_.enter(segment); !entered) {
            return stop_at(i, to_string(entered.error()));
        }
        const std::size_t limit = watched() ? std::min(end, (block_ + 1) * block_words) : end;
        const std::size_t count = granted(limit - i);
        if (count == 0) {
            capture_.stopped = true;
            return stop_at(i, options_.watch->why());
        }
        const Step step = port_.load(segment, &plan_.words[i], &capture_.words[i], count);
        find_poison(i, i + step.done, segment.width);
        i += step.done;
        loaded_end_ = i;
        if (step.done > 0) {
            last_loaded_ = i - 1;
            block_ = last_loaded_ / block_words;
        }
        note_loaded(step.done, count);
        if (step.stop == Stop::refused) {
            return stop_at(i, port_.why());
        }
        if (step.done > 0 && !judge_last(step.stop)) {
            return false;
        }
    }
    return true;
}

// How many of the wanted loads may be made now; 0: none, and none after them.
std::size_t Pass::granted(std::size_t wanted) {
    if (options_.watch == nullptr) {
        return wanted;
    }
    if (grant_ == 0) {
        grant_ = options_.watch->grant();
    }
    return std::min(wanted, options_.timing ? grant_ : std::min(grant_, untimed_grant));
}

// A port that stopped early met something that takes time: then the watch is asked before the next load.
void Pass::note_loaded(std::size_t done, std::size_t wanted) {
    if (options_.watch == nullptr) {
        return;
    }
    grant_ = done < wanted || !options_.timing ? 0 : grant_ - done;
    const bool is_slow = done > 0 && (capture_.words[last_loaded_].flags & slow) != 0;
    grant_ = is_slow ? 0 : grant_;
    options_.watch->loaded(done, is_slow ? capture_.words[last_loaded_].nanoseconds : 0);
}

bool Pass::judge_last(Stop stop) {
    if ((capture_.words[last_loaded_].flags & slow) != 0) {
        suspicious_ = any_slow_ = true;
    }
    return stop != Stop::all_ones || on_all_ones(last_loaded_);
}

void Pass::find_poison(std::size_t begin, std::size_t end, unsigned width) {
    const std::uint64_t ones = all_ones(width);
    for (const Poison& poison : plan_.poison) {
        if (poison.width != width) {
            continue;
        }
        for (std::size_t i = begin; i < end; ++i) {
            Word& word = capture_.words[i];
            if ((word.value & poison.mask) == poison.pattern && word.value != ones && is_plain(word))
                [[unlikely]] {
                word.status = WordStatus::poison;
                suspicious_ = true;
            }
        }
    }
}

// Asked at the first all-ones word of a block; later ones of the same block wait for the block's end, so that
// a space full of ones does not double its loads. A sentinel that reads all ones is an answer in itself.
bool Pass::on_all_ones(std::size_t index) {
    pending_.push_back(index);
    if (asked_block_ == block_ && !is_sentinel(plan_.words[index])) {
        capture_.words[index].status = WordStatus::unconfirmed_ones;
        return true;
    }
    asked_block_ = block_;
    return settle(ask_with_retries(port_.ask(&plan_.words[index])));
}

bool Pass::is_sentinel(const WordRequest& word) const {
    return std::any_of(plan_.sentinels.begin(), plan_.sentinels.end(), [&](const WordRequest& sentinel) {
        return sentinel.offset == word.offset && sentinel.width == word.width;
    });
}

bool Pass::close_block() {
    if (pending_.empty() && !suspicious_) {
        return true;
    }
    suspicious_ = false;
    return settle(ask_with_retries(port_.ask(nullptr)));
}

WordStatus Pass::alive_status(std::size_t index) const {
    const bool poisonous =
        matches_poison(plan_.poison, plan_.words[index].width, capture_.words[index].value);
    return poisonous ? WordStatus::poison : WordStatus::all_ones_alive;
}

bool Pass::settle(Answer answer) {
    for (const std::size_t index : pending_) {
        WordStatus& status = capture_.words[index].status;
        switch (answer) {
        case Answer::alive:
            status = alive_status(index);
            break;
        case Answer::unknown:
            status = WordStatus::unconfirmed_ones;
            break;
        case Answer::gone:
            status = WordStatus::gone;
            break;
        case Answer::bar_dead:
            status = WordStatus::bar_dead;
            break;
        }
    }
    pending_.clear();
    if (answer == Answer::gone) {
        capture_.device_gone = true;
        return stop_at(last_loaded_, "the device does not answer" + last_loads());
    }
    if (answer == Answer::bar_dead) {
        return stop_at(last_loaded_, "the BAR does not answer, configuration space does" + last_loads());
    }
    return true;
}

Answer Pass::ask_with_retries(Answer answer) {
    for (unsigned tries = 0; tries < options_.retries && is_dead(answer); ++tries) {
        port_.pause(retry_pause);
        if (is_over()) {
            break;
        }
        answer = pending_.empty() ? port_.ask(nullptr) : try_again();
    }
    return answer;
}

// All ones were read while the device was dead: where it answers now, each of them is worth a second load.
Answer Pass::try_again() {
    const std::size_t newest = pending_.back();
    load_again(newest);
    const bool still_ones = holds_all_ones(newest);
    const bool answered = !still_ones && is_plain(capture_.words[newest]);
    const Answer answer = answered ? Answer::alive : port_.ask(still_ones ? &plan_.words[newest] : nullptr);
    if (is_dead(answer)) {
        return answer;
    }
    for (const std::size_t index : pending_) {
        if (is_over()) {
            capture_.words[index].status = WordStatus::unconfirmed_ones; // of the time when it was dead
            continue;
        }
        if (index != newest) {
            load_again(index);
        }
        capture_.words[index].flags |= answered_on_retry;
    }
    std::erase_if(pending_, [this](std::size_t index) { return !holds_all_ones(index); });
    return answer;
}

bool Pass::holds_all_ones(std::size_t index) const {
    const Word& word = capture_.words[index];
    return is_plain(word) && word.value == all_ones(plan_.words[index].width);
}

void Pass::load_again(std::size_t index) {
    const auto after =
        std::upper_bound(segments_.begin(), segments_.end(), index,
                         [](std::size_t i, const Segment& segment) { return i < segment.first; });
    const Segment& segment = *std::prev(after);
    Word& word = capture_.words[index];
    const Word first_try = word;
    word = blank_word();
    const bool loaded = port_.enter(segment) && port_.load(segment, &plan_.words[index], &word, 1).done == 1;
    if (!loaded) {
        word = first_try;
        word.status = WordStatus::ok; // still the all ones of the first try: the caller judges it
        return;
    }
    find_poison(index, index + 1, segment.width);
}

bool Pass::stop_at(std::size_t index, const std::string& why) {
    for (const std::size_t waiting : pending_) {
        capture_.words[waiting].status = WordStatus::unconfirmed_ones;
    }
    pending_.clear();
    const std::uint64_t offset = index < plan_.words.size() ? plan_.words[index].offset : 0;
    capture_.note =
        fmt::format("stopped at word {} of {} (offset {:#x}): {}", index, plan_.words.size(), offset, why);
    return false;
}

// Where a device died under the reader, the culprit is among the loads since it was last known to live.
std::string Pass::last_loads() const {
    std::string text;
    std::uint64_t begin = 0, end = 0;
    const auto flush = [&] {
        if (end > begin) {
            text += fmt::format("{}{:#x}-{:#x}", text.empty() ? "; last loads: " : ", ", begin, end - 1);
        }
    };
    for (std::size_t i = last_loaded_ - last_loaded_ % block_words; i <= last_loaded_; ++i) {
        const WordStatus status = capture_.words[i].status;
        const bool was_loaded = status <= WordStatus::not_attempted; // those that were refused come after it
        if (!was_loaded) {
            continue;
        }
        const WordRequest& word = plan_.words[i];
        if (end != word.offset || end == begin) {
            flush();
            begin = word.offset;
        }
        end = word.offset + word.width / 8U;
    }
    flush();
    return text;
}

} // namespace barscope::safety
