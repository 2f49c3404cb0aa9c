#include <fwlog/summary.h>

#include <algorithm>
#include <numeric>

namespace barscope::fwlog {

namespace {

constexpr std::size_t most_missing = 16;

// The step is the largest that leads through all numbers that were seen; what lies between them on the way is
// missing.
Series evaluate(const std::string& name, const std::set<std::uint64_t>& seen, bool partial) {
    Series series;
    series.name = name;
    series.lowest = *seen.begin();
    series.highest = *seen.rbegin();
    series.seen = seen.size();
    series.partial = partial;
    for (const std::uint64_t value : seen) {
        series.step = std::gcd(series.step, value - series.lowest);
    }
    if (series.step == 0) {
        return series;
    }
    series.missing_count = (series.highest - series.lowest) / series.step + 1 - seen.size();
    std::uint64_t expected = series.lowest;
    for (const std::uint64_t value : seen) {
        for (; expected < value && series.missing.size() < most_missing; expected += series.step) {
            series.missing.push_back(expected);
        }
        expected = value + series.step;
    }
    return series;
}

} // namespace

void Summarizer::see(const PlainRows& rows) {
    if (summary_.spans.empty() || clock_ != Clock::kernel_monotonic) {
        Record record;
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
            fill(record, rows, i);
            see(record);
        }
        return;
    }
    summary_.rows += rows.rows.size();
    summary_.entries += rows.rows.size();
    summary_.by_severity[0] += rows.rows.size();
    summary_.stamps_back += rows.first_ns < last_ns_ ? 1 : 0;
    see_stamps(rows.rows.size(), rows.first_ns, rows.last_ns);
}

void Summarizer::see(const Record& record) {
    if (record.kind == RecordKind::gap) {
        ++summary_.gaps;
        summary_.lost += record.lost;
        return;
    }
    ++summary_.rows;
    switch (record.kind) {
    case RecordKind::unparsed:
        ++summary_.unparsed;
        break;
    case RecordKind::comment:
        ++summary_.comments;
        break;
    case RecordKind::blank:
        ++summary_.blank;
        return;
    case RecordKind::entry:
    case RecordKind::gap:
        ++summary_.entries;
        break;
    }
    if (record.time_ns || record.new_boot) {
        see_time(record);
    }
    if (record.kind == RecordKind::comment) {
        return;
    }
    ++summary_.by_severity.at(static_cast<std::size_t>(record.severity));
    if (record.overwritten) {
        ++summary_.overwritten;
    }
    if (record.sequence) {
        see_sequence(record);
    }
    if (record.pattern != nullptr) {
        see_pattern(record);
    }
    if (record.severity >= Severity::error) {
        see_error(record);
    }
}

// A mark of a boot without a stamp of its own begins a span that the next stamp goes on with.
void Summarizer::begin_span(const Record& record) {
    auto& spans = summary_.spans;
    const bool begun = !spans.empty() && clock_ == Clock::none;
    clock_ = record.time_ns ? record.clock : Clock::none;
    if (!begun) {
        beyond_ = spans.size() >= most_spans;
        if (beyond_) {
            ++summary_.more_spans;
            return;
        }
        spans.emplace_back().first_line = record.line;
    }
    if (record.time_ns && !beyond_) {
        spans.back().clock = record.clock;
        spans.back().earliest_ns = spans.back().latest_ns = *record.time_ns;
    }
}

void Summarizer::see_time(const Record& record) {
    const bool another =
        summary_.spans.empty() || record.new_boot || (record.time_ns && clock_ != record.clock);
    if (another) {
        begin_span(record);
    }
    if (!record.time_ns) {
        return;
    }
    if (!another && *record.time_ns < last_ns_) {
        ++summary_.stamps_back;
    }
    see_stamps(1, *record.time_ns, *record.time_ns);
}

void Summarizer::see_stamps(std::uint64_t rows, std::uint64_t earliest, std::uint64_t latest) {
    last_ns_ = latest;
    if (beyond_) {
        return;
    }
    Span& span = summary_.spans.back();
    span.earliest_ns = std::min(span.earliest_ns, earliest);
    span.latest_ns = std::max(span.latest_ns, latest);
    span.rows += rows;
}

void Summarizer::see_sequence(const Record& record) {
    if (record.new_boot) {
        tracker_.forget();
    }
    const SequenceTracker::Result seen = tracker_.see(*record.sequence, record.sequence_bits);
    if (seen.step == Step::duplicate) {
        ++summary_.duplicates;
    }
    if (seen.step == Step::backwards) {
        ++summary_.backwards;
    }
    if (seen.wrapped) {
        ++summary_.wraps;
    }
}

void Summarizer::see_pattern(const Record& record) {
    ++summary_.known;
    ++counts_[record.pattern];
    if (record.pattern->event == EventKind::reset) {
        ++summary_.resets;
    }
    if (record.pattern->event == EventKind::recovered) {
        ++summary_.recoveries;
    }
    if (record.pattern->event == EventKind::gone) {
        ++summary_.gone;
    }
    for (const FieldValue& value : record.fields) {
        if (!value.differs.empty()) {
            ++summary_.differing;
        }
        if (value.field->series) {
            Numbers& numbers = series_[record.pattern->name + "." + value.field->name];
            numbers.partial = numbers.partial || numbers.seen.size() >= most_numbers;
            if (!numbers.partial) {
                numbers.seen.insert(value.value);
            }
        }
    }
}

void Summarizer::see_error(const Record& record) {
    Mark mark{.line = record.line,
              .time = std::string(record.time_text),
              .message = std::string(record.message.substr(0, 512)),
              .pattern = record.pattern == nullptr ? std::string() : record.pattern->name,
              .severity = record.severity};
    if (!summary_.first_error) {
        summary_.first_error = mark;
    }
    summary_.last_error = std::move(mark);
}

Summary Summarizer::finish() {
    for (const auto& [pattern, count] : counts_) {
        summary_.patterns[pattern->name] += count;
    }
    for (const auto& [name, numbers] : series_) {
        summary_.series.push_back(evaluate(name, numbers.seen, numbers.partial));
    }
    return std::move(summary_);
}

} // namespace barscope::fwlog
