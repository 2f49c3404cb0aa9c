// SIGINT and SIGTERM as something to wait for, so that what was begun is brought to a good end. The first one
// only: the next one does what it always does, and ends the program.
#pragma once

#include <chrono>
#include <csignal>
#include <string>

namespace barscope::tool {

class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    bool wait(int milliseconds); // true: stop
    // Sleeps so long; true where a signal ended it. `signals` may be null.
    static bool wait_for(StopSignals* signals, std::chrono::nanoseconds time);
    std::string name() const; // of the signal that came: "SIGINT"
    int file() const { return file_; }

  private:
    bool take();

    sigset_t signals_{}, before_{};
    int file_ = -1, came_ = 0;
};

} // namespace barscope::tool
