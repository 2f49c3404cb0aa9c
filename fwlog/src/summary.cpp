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

void Summarizer::see(const Record& record) {
    if (record.plain && !summary_.spans.empty() && summary_.spans.back().clock == record.clock) {
        Span& span = summary_.spans.back();
        ++summary_.rows;
        ++summary_.entries;
        ++summary_.by_severity[0];
        ++span.rows;
        if (*record.time_ns < last_ns_) {
            ++summary_.stamps_back;
        }
        span.earliest_ns = std::min(span.earliest_ns, *record.time_ns);
        span.latest_ns = std::max(span.latest_ns, *record.time_ns);
        last_ns_ = *record.time_ns;
        return;
    }
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

void Summarizer::see_time(const Record& record) {
    auto& spans = summary_.spans;
    const bool another =
        spans.empty() || record.new_boot || (record.time_ns && spans.back().clock != record.clock);
    if (another && spans.size() < most_spans) {
        if (!record.time_ns) {
            spans.emplace_back().first_line = record.line;
            return;
        }
        // A mark of a boot without a stamp of its own has begun the span already.
        const bool begun = !spans.empty() && spans.back().rows == 0;
        if (!begun) {
            spans.emplace_back().first_line = record.line;
        }
        spans.back().clock = record.clock;
        spans.back().earliest_ns = spans.back().latest_ns = *record.time_ns;
    } else if (another) {
        ++summary_.more_spans;
    }
    if (!record.time_ns) {
        return;
    }
    Span& span = spans.back();
    if (!another && span.rows != 0 && *record.time_ns < last_ns_) {
        ++summary_.stamps_back;
    }
    span.earliest_ns = std::min(span.earliest_ns, *record.time_ns);
    span.latest_ns = std::max(span.latest_ns, *record.time_ns);
    ++span.rows;
    last_ns_ = *record.time_ns;
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
