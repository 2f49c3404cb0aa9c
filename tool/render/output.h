// Where finished text goes: gathered in large pieces, each one write(2), every failure noticed.
#pragma once

#include <cstddef>
#include <string>

#include <safety/error.h>

namespace barscope::tool {

class Output {
  public:
    explicit Output(int fd) : fd_(fd) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    // Append here. Long renderers call drain() between entries, so that memory stays bounded.
    std::string& text() { return text_; }
    void drain() {
        if (text_.size() >= piece_size) {
            flush();
        }
    }
    // Writes what is left and says whether all of it arrived. After a failure nothing more is written.
    Result<void> finish();
    bool failed() const { return error_ != 0; }

  private:
    static constexpr std::size_t piece_size = std::size_t{1} << 18;
    void flush();

    int fd_;
    int error_ = 0; // errno of the first failure
    std::string text_;
};

} // namespace barscope::tool
