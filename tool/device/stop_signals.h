// SIGINT and SIGTERM as something to wait for, so that what was begun is brought to a good end.
#pragma once

#include <csignal>

namespace barscope::tool {

class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    bool wait(int milliseconds); // true: stop

  private:
    sigset_t signals_{}, before_{};
    int file_ = -1;
};

} // namespace barscope::tool
