// Gaps, duplicates and wrap of a source's sequence numbers.
#pragma once

#include <cstdint>
#include <optional>

namespace barscope::fwlog {

enum class Step : std::uint8_t { first, next, gap, duplicate, backwards };

class SequenceTracker {
  public:
    struct Result {
        Step step = Step::first;
        std::uint64_t lost = 0;  // gap: records between the last one and this
        bool wrapped = false;    // the counter went through its maximum
        std::uint64_t after = 0; // the last number before this one
    };
    // `bits`: the width at which the counter wraps; 0: not known, then 16 or 32 where the numbers say so.
    Result see(std::uint64_t sequence, unsigned bits);
    void forget() { last_.reset(); } // another boot, or a reset of the device

  private:
    std::optional<std::uint64_t> last_;
};

} // namespace barscope::fwlog
