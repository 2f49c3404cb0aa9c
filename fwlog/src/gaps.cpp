#include "gaps.h"

#include <utility>

namespace barscope::fwlog {

void Gaps::see(Record& record) {
    if (!record.sequence || record.kind != RecordKind::entry || record.overwritten) {
        return;
    }
    if (record.new_boot) {
        tracker_.forget();
    }
    const SequenceTracker::Result seen = tracker_.see(*record.sequence, record.sequence_bits);
    if (seen.step != Step::gap) {
        return;
    }
    later_ = std::move(record);
    held_ = true;
    record = Record{};
    record.kind = RecordKind::gap;
    record.source = later_.source;
    record.lost = seen.lost;
    record.sequence = seen.after;
    record.sequence_bits = later_.sequence_bits;
}

} // namespace barscope::fwlog
