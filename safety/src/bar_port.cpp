#include "bar_port.h"

#include <algorithm>
#include <cerrno>

#include "byte_order.h"
#include "word_timing.h"

namespace barscope::safety {
namespace {

template <typename T>
TimedLoads load_as(const std::byte* data, std::uint64_t offset, const WordRequest* requests, Word* words,
                   std::size_t count, std::uint64_t slow_ticks, bool timing, bool counter) {
    if (!timing) {
        return {load_words<T>(data, offset, requests, words, count), 0};
    }
    return counter ? load_words_timed<T, CounterClock>(data, offset, requests, words, count, slow_ticks)
                   : load_words_timed<T, MonotonicClock>(data, offset, requests, words, count, slow_ticks);
}

} // namespace

BarPort::BarPort(BarContext context, const SpacePlan& plan, const ReadOptions& options,
                 const WordCheck& check, const std::vector<PageRun>& windows, TickScale& scale,
                 SpaceCapture& capture)
    : context_(std::move(context)), plan_(plan), timing_(options.timing),
      pacing_(context_.system, options.max_rate), windows_(windows), scale_(scale), capture_(capture) {
    if (timing_) {
        scale_.update();
        slow_ticks_ = scale_.from_ns(slow_load_ns);
    }
    std::copy_if(plan.sentinels.begin(), plan.sentinels.end(), std::back_inserter(sentinels_),
                 [&](const WordRequest& sentinel) { return check(sentinel) == WordStatus::ok; });
    has_foreign_order_ = std::any_of(plan.words.begin(), plan.words.end(),
                                     [](const WordRequest& word) { return is_foreign(word.order); });
}

Result<void> BarPort::enter(const Segment& segment) {
    if (segment.window == current_window_ && window_) {
        return {};
    }
    window_ = Mapping(); // one at a time: a plan with words in 100,000 far-apart pages stays within
                         // vm.max_map_count
    window_ = Mapping(context_.system, context_.fd, windows_[segment.window]);
    current_window_ = segment.window;
    if (!window_) {
        return fail(context_.explain_mmap(errno));
    }
    return {};
}

Step BarPort::load(const Segment& segment, const WordRequest* requests, Word* words, std::size_t count) {
    Step total;
    while (total.done < count && total.stop == Stop::none) {
        const std::size_t i = total.done;
        Step step;
        if (segment.split) {
            step = load_split_word(window_, requests[i], words[i]);
        } else if (!stepwise()) {
            step = load_run(window_, requests + i, words + i, count - i, segment.width);
        } else if (may_load(requests[i].offset, segment.width)) {
            step = load_run(window_, requests + i, words + i, 1, segment.width);
        } else {
            step = {0, Stop::refused};
        }
        capture_.loads += issued_;
        total = {i + step.done, step.stop};
    }
    return total;
}

std::uint64_t BarPort::window_offset(const Mapping& mapping) const {
    return mapping.begin() - context_.geometry.delta(); // may wrap: it is only ever subtracted from an offset
}

TimedLoads BarPort::load_fast(const Mapping& mapping, const WordRequest* requests, Word* words,
                              std::size_t count, unsigned width) const {
    const std::byte* data = mapping.data();
    const std::uint64_t offset = window_offset(mapping);
    const bool counter = scale_.uses_counter();
    switch (width) {
    case 8:
        return load_as<std::uint8_t>(data, offset, requests, words, count, slow_ticks_, timing_, counter);
    case 16:
        return load_as<std::uint16_t>(data, offset, requests, words, count, slow_ticks_, timing_, counter);
    case 32:
        return load_as<std::uint32_t>(data, offset, requests, words, count, slow_ticks_, timing_, counter);
    case 64:
        if constexpr (sizeof(void*) >= 8) {
            return load_as<std::uint64_t>(data, offset, requests, words, count, slow_ticks_, timing_,
                                          counter);
        }
        break;
    default:
        break;
    }
    return {};
}

Step BarPort::load_run(const Mapping& mapping, const WordRequest* requests, Word* words, std::size_t count,
                       unsigned width) {
    TimedLoads loaded;
    TimedLoads* result = &loaded;
    const bool whole = guard_.run(mapping.data(), mapping.length(), [=, this, &mapping] {
        *result = load_fast(mapping, requests, words, count, width);
    });
    const Step step = whole ? Step{loaded.count, Stop::none} : after_fault(words, count);
    issued_ = step.done;
    if (has_foreign_order_) {
        for (std::size_t i = 0; i < step.done; ++i) {
            words[i].value = to_host(words[i].value, width, requests[i].order);
        }
    }
    if (!whole || step.done == 0) {
        return step;
    }
    Word& last = words[step.done - 1];
    const bool was_slow = timing_ && loaded.last_ticks >= slow_ticks_;
    if (was_slow) {
        last.flags |= slow;
        slow_loads_.push_back({&last, loaded.last_ticks});
    }
    const Stop stop = last.value == all_ones(width) ? Stop::all_ones : was_slow ? Stop::slow : Stop::none;
    return {step.done, stop};
}

Step BarPort::after_fault(Word* words, std::size_t count) {
    Word* faulted = std::find_if(words, words + count,
                                 [](const Word& word) { return word.status == WordStatus::not_attempted; });
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
    Word half;
    ++issued_;
    const bool whole =
        guard_.run(mapping.data(), mapping.length(), [&] { load_fast(mapping, &request, &half, 1, 32); });
    word.nanoseconds += half.nanoseconds;
    if (!whole) {
        word.status = WordStatus::lost;
        return std::nullopt;
    }
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
        word.nanoseconds = 0;
        return {1, Stop::fault};
    }
    word.value = loaded.value;
    word.status = loaded.torn ? WordStatus::torn : WordStatus::ok;
    const bool was_slow = timing_ && word.nanoseconds >= slow_ticks_;
    if (was_slow) {
        word.flags |= slow;
        slow_loads_.push_back({&word, word.nanoseconds});
    }
    const bool ones = !loaded.torn && loaded.value == UINT64_MAX;
    return {1, ones ? Stop::all_ones : was_slow ? Stop::slow : Stop::none};
}

bool BarPort::may_load(std::uint64_t offset, unsigned width) {
    pacing_.wait();
    if (context_.access_log == nullptr) {
        return true;
    }
    const Result<void> noted = context_.access_log->intend(context_.space, offset, width);
    if (!noted) {
        refusal_ = "a load that cannot be noted first is not made: " + to_string(noted.error());
    }
    return noted.has_value();
}

void BarPort::pause(std::chrono::milliseconds time) {
    context_.system.sleep_ns(static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count()));
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

bool BarPort::sentinel_answers(const WordRequest& sentinel) {
    const Mapping* mapping = sentinel_mapping(sentinel);
    if (mapping == nullptr) {
        return false;
    }
    Word word;
    if (is_split(sentinel)) {
        load_split_word(*mapping, sentinel, word);
    } else if (may_load(sentinel.offset, sentinel.width)) {
        load_run(*mapping, &sentinel, &word, 1, sentinel.width);
    } else {
        issued_ = 0;
    }
    capture_.sentinel_loads += issued_;
    std::erase_if(slow_loads_, [&](const SlowLoad& load) { return load.word == &word; });
    if (word.status == WordStatus::torn) {
        return true;
    }
    return word.status == WordStatus::ok && word.value != all_ones(sentinel.width) &&
           !matches_poison(plan_.poison, sentinel.width, to_host(word.value, sentinel.width, sentinel.order));
}

// A dead device is asked as little as possible: one sentinel, then configuration space; further sentinels
// only where that answers.
Answer BarPort::ask(const WordRequest* suspect) {
    const auto is_suspect = [&](const WordRequest& sentinel) {
        return suspect != nullptr && sentinel.offset == suspect->offset && sentinel.width == suspect->width;
    };
    const bool proven = std::any_of(sentinels_.begin(), sentinels_.end(), is_suspect);
    if (!proven && !sentinels_.empty() && sentinel_answers(sentinels_.front())) {
        return Answer::alive;
    }
    const std::optional<bool> config = context_.config_answers();
    if (sentinels_.empty()) {
        return config.value_or(true) ? Answer::unknown : Answer::gone;
    }
    if (!config.value_or(false)) {
        return Answer::gone;
    }
    const bool another = !proven && std::any_of(sentinels_.begin() + 1, sentinels_.end(),
                                                [this](const WordRequest& s) { return sentinel_answers(s); });
    return another ? Answer::alive : Answer::bar_dead;
}

void BarPort::finish_times(std::vector<Word>& words) {
    if (!timing_) {
        return;
    }
    scale_.update();
    for (Word& word : words) {
        word.nanoseconds =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(scale_.to_ns(word.nanoseconds), UINT32_MAX));
    }
    for (const SlowLoad& load : slow_loads_) {
        set_time(*load.word, std::max(scale_.to_ns(load.ticks), slow_load_ns));
    }
}

} // namespace barscope::safety
