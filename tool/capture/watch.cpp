#include <capture/watch.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace barscope::tool {

namespace {

// Looking whether a signal came is a system call.
constexpr auto poll_period = std::chrono::milliseconds(20);
constexpr auto show_period = std::chrono::milliseconds(100);
// A grant is to last about as long: an answer to Ctrl-C that feels immediate, at no cost that can be
// measured.
constexpr auto grant_least = std::chrono::milliseconds(1);
constexpr auto grant_most = std::chrono::milliseconds(4);
constexpr std::size_t greatest_grant = 4096;

} // namespace

std::string duration_text(std::chrono::nanoseconds duration) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
    if (ms < 1000) {
        return fmt::format("{} ms", ms);
    }
    std::string text = fmt::format("{}.{:03}", ms / 1000, ms % 1000);
    text.erase(text.find_last_not_of('0') + 1);
    return (text.back() == '.' ? text.substr(0, text.size() - 1) : text) + " s";
}

Error stopped_error(const std::string& stopped, const std::string& where) {
    const bool limit = stopped.find("time limit") != std::string::npos;
    return {.code = ErrorCode::absent,
            .cause = limit ? "time-limit" : "stopped",
            .what = stopped,
            .where = where,
            .remedy =
                limit ? "what was read before is whole; --timeout gives it more time, and fewer registers "
                        "(--group, --space) need less"
                      : "what was read before is whole"};
}

ChildLimits within(const Watch* watch, ChildLimits limits) {
    if (watch != nullptr) {
        limits.time = watch->left(limits.time);
        limits.interrupt = watch->signal_file();
    }
    return limits;
}

Watch::Watch(WatchOptions options) : options_(std::move(options)), deadline_(Clock::time_point::max()) {
    if (options_.limit) {
        deadline_ = Clock::now() + *options_.limit;
    }
}

bool Watch::go_on() {
    return go_on_at(Clock::now());
}

bool Watch::go_on_at(Clock::time_point now) {
    if (end_ != End::none) {
        return false;
    }
    if (now >= deadline_) {
        end_ = End::limit;
    } else if (options_.signals != nullptr && now >= next_poll_) {
        next_poll_ = now + poll_period;
        end_ = options_.signals->wait(0) ? End::signal : End::none;
    }
    return end_ == End::none;
}

std::size_t Watch::grant() {
    const Clock::time_point now = Clock::now();
    const auto passed = now - granted_at_;
    if (passed < grant_least) {
        grant_ = std::min(grant_ * 2, greatest_grant);
    } else if (passed > grant_most) {
        grant_ = std::max<std::size_t>(grant_ / 2, 1);
    }
    granted_at_ = now;
    return go_on_at(now) ? grant_ : 0;
}

void Watch::loaded(std::size_t words, std::uint32_t slow_ns) {
    loaded_ += words;
    if (options_.progress) {
        show(Clock::now(), slow_ns);
    }
}

void Watch::show(Clock::time_point now, std::uint32_t slow_ns) {
    if (now - shown_at_ < show_period) {
        return;
    }
    shown_at_ = now;
    std::string text = fmt::format("{}: {} of {} words", what_, loaded_, std::max(loaded_, expected_));
    if (slow_ns != 0) {
        text += ", " + duration_text(std::chrono::nanoseconds(slow_ns)) + " per load";
    }
    options_.progress(text);
}

bool Watch::wait(std::uint64_t ns) {
    const Clock::time_point now = Clock::now();
    const auto until_deadline = std::max(deadline_ - now, Clock::duration::zero());
    const auto time = std::min<std::chrono::nanoseconds>(std::chrono::nanoseconds(ns), until_deadline);
    if (end_ == End::none && StopSignals::wait_for(options_.signals, time)) {
        end_ = End::signal;
    }
    return go_on();
}

std::string Watch::why() const {
    switch (end_) {
    case End::limit:
        return "the time limit of " + duration_text(*options_.limit) + " is over";
    case End::signal:
        return "stopped by " + options_.signals->name();
    case End::none:
        break;
    }
    return {};
}

Error Watch::error(const std::string& where) const {
    return stopped_error(why(), where);
}

void Watch::opened() {
    if (const auto tell = std::exchange(options_.opened, nullptr)) {
        tell();
    }
}

void Watch::begin(std::string what) {
    what_ = std::move(what);
    loaded_ = expected_ = 0;
}

std::chrono::milliseconds Watch::left(std::chrono::milliseconds most) const {
    const Clock::time_point now = Clock::now();
    if (now >= deadline_) {
        return std::chrono::milliseconds(0);
    }
    return std::min(most, std::chrono::ceil<std::chrono::milliseconds>(deadline_ - now));
}

} // namespace barscope::tool
