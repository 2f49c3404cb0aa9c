#include <logs/follow_table.h>

#include <utility>

#include <device/files.h>
#include <fwlog/sequence.h>
#include <fwlog/source.h>

namespace barscope::tool {

namespace {

using fwlog::Record;

constexpr std::size_t largest_table = std::size_t{1} << 24;

fwlog::SequenceTracker::Result step_from(std::optional<std::uint64_t> last, std::uint64_t number,
                                         unsigned bits) {
    fwlog::SequenceTracker tracker;
    if (last) {
        static_cast<void>(tracker.see(*last, bits));
    }
    return tracker.see(number, bits);
}

// Ahead of the last number, by less than half of what the counter holds.
bool ahead(std::optional<std::uint64_t> last, std::uint64_t number, unsigned bits) {
    const fwlog::Step step = step_from(last, number, bits).step;
    return step != fwlog::Step::duplicate && step != fwlog::Step::backwards;
}

template <typename Action>
void for_each_record(const std::string& text, const fwlog::PatternSet& patterns, const Action& action) {
    fwlog::MemoryStream stream(text);
    const auto source = fwlog::make_source(stream, fwlog::Format::table, patterns);
    Record record;
    while (source->next(record).value_or(false)) {
        action(record);
    }
}

} // namespace

bool FollowedTable::began_anew(const std::string& text) const {
    bool any = false;
    bool known = !last_;
    for_each_record(text, patterns_, [&](const Record& record) {
        if (record.sequence && record.kind == fwlog::RecordKind::entry) {
            any = true;
            known = known || record.sequence == last_ || ahead(last_, *record.sequence, record.sequence_bits);
        }
    });
    return any && !known;
}

void FollowedTable::look_at(const std::string& text, const Show& show) {
    if (text == text_) {
        return;
    }
    if (began_anew(text)) {
        last_.reset();
        unnumbered_.clear();
    }
    std::set<std::string, std::less<>> unnumbered;
    const std::optional<std::uint64_t> before = last_;
    for_each_record(text, patterns_, [&](const Record& record) {
        if (record.kind == fwlog::RecordKind::gap) {
            return; // seen from the last number on, below: what the table lost between two looks counts, too
        }
        if (!record.sequence) {
            std::string row(record.raw);
            if (!unnumbered_.contains(row)) {
                show(record);
            }
            unnumbered.insert(std::move(row));
        } else if (ahead(before, *record.sequence, record.sequence_bits)) {
            show_numbered(record, show);
        }
    });
    unnumbered_ = std::move(unnumbered);
    text_ = text;
}

void FollowedTable::show_numbered(const Record& record, const Show& show) {
    const auto seen = step_from(last_, *record.sequence, record.sequence_bits);
    if (seen.step == fwlog::Step::gap) {
        Record gap;
        gap.kind = fwlog::RecordKind::gap;
        gap.source = record.source;
        gap.lost = seen.lost;
        gap.sequence = seen.after;
        gap.sequence_bits = record.sequence_bits;
        show(gap);
    }
    last_ = record.sequence;
    show(record);
}

void FollowedTable::look(const Show& show) {
    const auto text = read_user_file(path_, largest_table);
    if (text) {
        look_at(*text, show);
    } else {
        last_.reset(); // what comes back is another one
        unnumbered_.clear();
        text_.clear();
    }
}

} // namespace barscope::tool
