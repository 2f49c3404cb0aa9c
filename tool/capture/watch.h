// Ends a command's work on a device before its time: when a time limit is over, or at SIGINT and SIGTERM.
// Says how far it has come.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include <device/child.h>
#include <device/stop_signals.h>
#include <safety/access.h>

namespace barscope::tool {

struct WatchOptions {
    std::optional<std::chrono::nanoseconds> limit;    // from now on
    StopSignals* signals = nullptr;                   // null: none is heeded
    std::function<void(const std::string&)> progress; // empty: nobody looks
    std::function<void()> opened = {}; // called once, when all is open and nothing was loaded yet
};

class Watch final : public safety::LoadWatch {
  public:
    explicit Watch(WatchOptions options);

    bool go_on() override;
    std::size_t grant() override;
    void loaded(std::size_t words, std::uint32_t slow_ns) override;
    bool wait(std::uint64_t ns) override;
    std::string why() const override;

    // A pass begins; `what`: "reading", for the progress.
    void begin(std::string what);
    // Everything that is read from now on is open.
    void opened();
    void keep_privileges() { options_.opened = nullptr; }
    void expect(std::size_t words) { expected_ += words; }
    // How long helpers may take; at most `most`.
    std::chrono::milliseconds left(std::chrono::milliseconds most) const;
    // Readable when a signal came that was not heeded yet; -1: none is heeded.
    int signal_file() const { return options_.signals == nullptr ? -1 : options_.signals->file(); }
    // What ended the work, as an error: "time-limit" or "stopped".
    Error error(const std::string& where) const;

  private:
    using Clock = std::chrono::steady_clock;
    enum class End { none, limit, signal };

    bool go_on_at(Clock::time_point now);
    void show(Clock::time_point now, std::uint32_t slow_ns);

    WatchOptions options_;
    Clock::time_point deadline_;
    Clock::time_point next_poll_, granted_at_, shown_at_;
    std::size_t grant_ = 16;
    End end_ = End::none;
    std::string what_ = "reading";
    std::size_t loaded_ = 0, expected_ = 0;
};

// The error of a capture that was stopped, live or in a recording; `stopped` is Capture::stopped.
Error stopped_error(const std::string& stopped, const std::string& where);

// The same limits, or what is left of the watch's time; a signal ends the program too. `watch` may be null.
ChildLimits within(const Watch* watch, ChildLimits limits);

// "1.5 s", "20 ms"
std::string duration_text(std::chrono::nanoseconds duration);

} // namespace barscope::tool
