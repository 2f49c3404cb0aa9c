#include "bar_port.h"

#include <algorithm>
#include <cerrno>

#include "access_log.h"
#include "byte_order.h"
#include "split_load.h"

namespace barscope::safety {
namespace {

std::uint32_t saturated_sum(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{a} + b, UINT32_MAX));
}

} // namespace

BarPort::BarPort(BarContext context, const SpacePlan& plan, const ReadOptions& options,
                 const WordCheck& check, const std::vector<PageRun>& windows, TickScale& scale,
                 SpaceCapture& capture)
    : context_(std::move(context)), plan_(plan), pacing_(context_.system, options), watch_(options.watch),
      windows_(windows), scale_(scale), off_cpu_(context_.system), capture_(capture) {
    if (options.timing) {
        timing_ = scale_.uses_counter() ? LoadTiming::counter : LoadTiming::monotonic_clock;
        scale_.update();
        doubtful_ticks_ = scale_.from_ns(doubtful_load_ns);
    }
    std::copy_if(plan.sentinels.begin(), plan.sentinels.end(), std::back_inserter(sentinels_),
                 [&](const WordRequest& sentinel) { return check(sentinel) == WordStatus::ok; });
    const auto foreign = [](const WordRequest& word) { return is_foreign(word.order); };
    has_foreign_order_ = std::any_of(plan.words.begin(), plan.words.end(), foreign) ||
                         std::any_of(sentinels_.begin(), sentinels_.end(), foreign);
}

Result<void> BarPort::enter(const Segment& segment) {
    if (segment.window == current_window_ && window_) {
        return {};
    }
    // One at a time: a plan with words in 100,000 far-apart pages stays within vm.max_map_count.
    window_ = Mapping();
    window_ = Mapping(context_.system, context_.fd, windows_[segment.window]);
    current_window_ = segment.window;
    if (!window_) {
        return fail(context_.explain_mmap(errno));
    }
    if (timing_ != LoadTiming::off) {
        off_cpu_.restart(); // what was spent on mapping is no load's
    }
    return {};
}

LoadOrder BarPort::order(const WordRequest* requests, Word* words, std::size_t count, unsigned width) const {
    LoadOrder order;
    order.requests = requests;
    order.words = words;
    order.count = count;
    order.width = width;
    order.timing = timing_;
    order.doubtful_ticks = doubtful_ticks_;
    return order;
}

Step BarPort::load(const Segment& segment, const WordRequest* requests, Word* words, std::size_t count) {
    Step total;
    do {
        const std::size_t i = total.done;
        Step step;
        if (segment.split) {
            step = load_split_word(window_, requests[i], words[i]);
        } else if (stepwise() && !may_load(requests[i].offset, segment.width)) {
            issued_ = 0;
            step.stop = Stop::refused;
        } else {
            LoadOrder run = order(requests + i, words + i, stepwise() ? 1 : count - i, segment.width);
            run.contiguous = segment.contiguous;
            step = load_run(window_, run);
        }
        capture_.loads += issued_;
        total = {i + step.done, step.stop};
        // A watch is asked in between, so each run goes back to the pass.
    } while (watch_ == nullptr && total.done < count && total.stop == Stop::none);
    return total;
}

std::optional<LoadResult> BarPort::guarded(const Mapping& mapping, LoadOrder order) {
    order.window = mapping.data();
    order.window_offset = mapping.begin() - context_.geometry.delta();
    LoadResult result;
    const bool whole =
        guard_.run(mapping.data(), mapping.length(), [&order, &result] { result = load_words(order); });
    return whole ? std::optional(result) : std::nullopt;
}

Step BarPort::load_run(const Mapping& mapping, LoadOrder order) {
    const std::optional<LoadResult> loaded = guarded(mapping, order);
    const Step step = loaded ? Step{loaded->count, Stop::none} : after_fault(order.words, order.count);
    issued_ = step.done;
    if (has_foreign_order_) {
        for (std::size_t i = 0; i < step.done; ++i) {
            order.words[i].value = to_host(order.words[i].value, order.width, order.requests[i].order);
        }
    }
    if (!loaded || step.done == 0) {
        return step;
    }
    Word& last = order.words[step.done - 1];
    const Stop stop = note_time(last, loaded->last_ticks);
    return {step.done, last.value == all_ones(order.width) ? Stop::all_ones : stop};
}

Stop BarPort::note_time(Word& word, std::uint64_t ticks) {
    if (timing_ == LoadTiming::off || ticks < doubtful_ticks_) {
        return Stop::none;
    }
    const std::uint64_t ns = scale_.to_ns(ticks);
    set_time(word, ns - std::min(ns, off_cpu_.take()));
    long_loads_.push_back({&word, word.nanoseconds});
    return (word.flags & slow) != 0 ? Stop::slow : Stop::none;
}

Step BarPort::after_fault(Word* words, std::size_t count) {
    Word* const last = words + count - 1;
    Word* const faulted = std::find_if(words, last, is_blank);
    *faulted = Word{};
    faulted->status = WordStatus::lost;
    return {static_cast<std::size_t>(faulted - words) + 1, Stop::fault};
}

std::optional<std::uint32_t> BarPort::load_half(const Mapping& mapping, std::uint64_t offset, bool big,
                                                Word& word) {
    if (word.status == WordStatus::lost || !refusal_.empty() || !may_load(offset, 32)) {
        return std::nullopt;
    }
    const WordRequest request{offset, 32, ReadAction::none, Split::none, ByteOrder::little};
    Word half = blank_word();
    ++issued_;
    const std::optional<LoadResult> loaded = guarded(mapping, order(&request, &half, 1, 32));
    if (!loaded) {
        word = Word{};
        word.status = WordStatus::lost;
        return std::nullopt;
    }
    word.nanoseconds = saturated_sum(word.nanoseconds, half.nanoseconds);
    return static_cast<std::uint32_t>(to_host(half.value, 32, big ? ByteOrder::big : ByteOrder::little));
}

Step BarPort::load_split_word(const Mapping& mapping, const WordRequest& request, Word& word) {
    issued_ = 0;
    const bool big = request.order == ByteOrder::big;
    const auto half = [&](bool upper) {
        return load_half(mapping, request.offset + (upper == big ? 0 : 4), big, word).value_or(0);
    };
    const SplitValue loaded = load_split([&] { return half(true); }, [&] { return half(false); });
    if (!refusal_.empty()) {
        word = Word{};
        return {0, Stop::refused};
    }
    if (word.status == WordStatus::lost) {
        return {1, Stop::fault};
    }
    word.value = loaded.value;
    word.status = loaded.torn ? WordStatus::torn : WordStatus::ok;
    const Stop stop = note_time(word, word.nanoseconds);
    const bool ones = !loaded.torn && loaded.value == UINT64_MAX;
    return {1, ones ? Stop::all_ones : stop};
}

bool BarPort::may_load(std::uint64_t offset, unsigned width) {
    if (!pacing_.wait()) {
        refusal_ = watch_->why();
        capture_.stopped = true;
        return false;
    }
    if (!stepwise()) {
        return true;
    }
    if (context_.access_log != nullptr) {
        const Result<void> noted = context_.access_log->intend(context_.space, offset, width);
        if (!noted) {
            refusal_ = unnoted_load(noted.error());
            return false;
        }
    }
    off_cpu_.restart();
    return true;
}

void BarPort::pause(std::chrono::milliseconds time) {
    const auto ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
    if (watch_ != nullptr) {
        static_cast<void>(watch_->wait(ns));
    } else {
        context_.system.sleep_ns(ns);
    }
    off_cpu_.restart();
}

const Mapping* BarPort::sentinel_mapping(const WordRequest& sentinel) {
    const PageRun pages = context_.geometry.pages(sentinel.offset, sentinel.width / 8U);
    if (window_.covers(pages)) {
        return &window_;
    }
    if (!sentinel_window_.covers(pages)) {
        sentinel_window_ = Mapping(context_.system, context_.fd, pages);
    }
    return sentinel_window_ ? &sentinel_window_ : nullptr;
}

std::optional<bool> BarPort::sentinel_answers(const WordRequest& sentinel) {
    const Mapping* mapping = sentinel_mapping(sentinel);
    if (mapping == nullptr) {
        return std::nullopt;
    }
    Word word = blank_word();
    issued_ = 0;
    if (is_split(sentinel)) {
        load_split_word(*mapping, sentinel, word);
    } else if (may_load(sentinel.offset, sentinel.width)) {
        load_run(*mapping, order(&sentinel, &word, 1, sentinel.width));
    }
    capture_.sentinel_loads += issued_;
    std::erase_if(long_loads_, [&](const LongLoad& load) { return load.word == &word; });
    if (!refusal_.empty()) {
        return std::nullopt;
    }
    const bool loaded = word.status != WordStatus::lost;
    const bool data =
        word.value != all_ones(sentinel.width) && !matches_poison(plan_.poison, sentinel.width, word.value);
    return word.status == WordStatus::torn || (loaded && data);
}

// A dead device is asked as little as possible: one sentinel, then configuration space; further sentinels
// only where that answers. A word that is a sentinel itself and reads all ones has answered already.
Answer BarPort::ask(const WordRequest* suspect) {
    const auto is_suspect = [&](const WordRequest& sentinel) {
        return suspect != nullptr && sentinel.offset == suspect->offset && sentinel.width == suspect->width;
    };
    const bool proven = std::any_of(sentinels_.begin(), sentinels_.end(), is_suspect);
    auto next = sentinels_.begin();
    bool asked = proven;
    while (!asked && next != sentinels_.end()) {
        const std::optional<bool> answers = sentinel_answers(*next++);
        if (answers.value_or(false)) {
            return Answer::alive;
        }
        asked = answers.has_value();
    }
    if (watch_ != nullptr && !watch_->go_on()) {
        return Answer::unknown;
    }
    const std::optional<bool> config = context_.config_answers();
    if (!asked) {
        return config.value_or(true) ? Answer::unknown : Answer::gone;
    }
    if (!config.value_or(false)) {
        return Answer::gone;
    }
    const bool another = !proven && std::any_of(next, sentinels_.end(), [this](const WordRequest& sentinel) {
        return sentinel_answers(sentinel).value_or(false);
    });
    return another ? Answer::alive : Answer::bar_dead;
}

void BarPort::finish_times(std::vector<Word>& words) {
    if (timing_ == LoadTiming::off) {
        return;
    }
    scale_.update();
    for (Word& word : words) {
        word.nanoseconds =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(scale_.to_ns(word.nanoseconds), UINT32_MAX));
    }
    for (const LongLoad& load : long_loads_) {
        load.word->nanoseconds = load.ns;
    }
}

} // namespace barscope::safety
