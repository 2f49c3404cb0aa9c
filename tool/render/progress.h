// A line on standard error that says what is going on: on a terminal only, and only for what takes longer
// than half a second.
#pragma once

#include <chrono>
#include <string_view>

namespace barscope::tool {

class Progress {
  public:
    Progress();
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    bool is_seen() const { return terminal_; }
    void show(std::string_view what);
    void clear(); // before anything else is written to the terminal

  private:
    bool terminal_, shown_ = false;
    std::chrono::steady_clock::time_point begin_;
};

} // namespace barscope::tool
