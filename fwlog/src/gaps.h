// Records that are missing by their numbers become a record of their own, before the one that shows it.
#pragma once

#include <fwlog/record.h>
#include <fwlog/sequence.h>

namespace barscope::fwlog {

class Gaps {
  public:
    // True where the record that was held back is the next one.
    bool take_held(Record& record) {
        if (!held_) {
            return false;
        }
        held_ = false;
        record = std::move(later_);
        return true;
    }
    bool holding() const { return held_; }

    // An entry with a sequence number: where it shows a gap, the gap takes its place, and it is held back.
    void see(Record& record);

  private:
    SequenceTracker tracker_;
    Record later_;
    bool held_ = false;
};

} // namespace barscope::fwlog
