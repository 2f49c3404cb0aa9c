// Runs of hex digits in a text, as people and programs write bytes: with or without separators, in groups of
// any size, whole words with their low byte first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace barscope::tool {

struct DigitMatch {
    std::size_t begin = 0, end = 0; // in the text
};

class DigitRun {
  public:
    // Bytes of a value, `digits` in memory order, in either byte order; a whole group without its leading
    // zeros; words turned round one by one.
    std::vector<DigitMatch> find(const std::string& digits) const;

  private:
    friend std::vector<DigitRun> digit_runs(std::string_view text);
    struct Group {
        std::size_t first = 0, size = 0; // in digits_
    };
    void finish();
    void find_in(const std::string& where, const std::string& digits, bool whole_groups,
                 std::vector<DigitMatch>& out) const;

    std::string digits_, turned_;     // lower case; turned_: each group's bytes in reverse
    std::vector<std::size_t> places_; // of each digit in the text
    std::vector<Group> groups_;
};

std::vector<DigitRun> digit_runs(std::string_view text); // those with at least eleven digits

std::string bytes_reversed(const std::string& digits); // "0102" to "0201"

} // namespace barscope::tool
