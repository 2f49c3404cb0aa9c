// A log's summary for people.
#include <render/fwlog_text.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <render/digits.h>
#include <render/escape.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

using fwlog::Severity;

class SummaryText {
  public:
    SummaryText(std::string& out, const Style& style, const fwlog::Summary& summary)
        : out_(out), style_(style), summary_(summary) {}

    void append(std::uint64_t left_out) {
        append_rows(left_out);
        append_severities();
        append_spans();
        append_mark("first error", summary_.first_error);
        append_mark("last error", summary_.last_error);
        append_events();
        append_gaps();
        append_series();
        append_patterns();
    }

  private:
    void line(std::string_view label, std::string_view text, Ink ink = Ink::plain) {
        out_ += "  ";
        out_ += label;
        pad(out_, label.size(), 13, 1);
        style_.put(out_, ink, text);
        out_ += '\n';
    }

    void append_rows(std::uint64_t left_out) {
        std::string text = fmt::format("{}", summary_.rows);
        const auto part = [&](std::uint64_t count, std::string_view what) {
            text += count == 0 ? std::string() : fmt::format(", {} {}", count, what);
        };
        part(summary_.unparsed, "not parsed (kept as they are)");
        part(summary_.comments, summary_.comments == 1 ? "comment" : "comments");
        part(summary_.blank, "blank");
        part(left_out, "left out by the filters");
        line("rows", text);
    }

    void append_severities() {
        std::string text;
        for (std::size_t i = fwlog::severity_count; i-- > 0;) {
            const auto severity = static_cast<Severity>(i);
            const std::uint64_t count = summary_.by_severity.at(i);
            if (count != 0 || severity >= Severity::error) {
                text +=
                    fmt::format("{}{} {}", text.empty() ? "" : ", ",
                                severity == Severity::unknown ? "not stated" : fwlog::name(severity), count);
            }
        }
        line("severity", text, summary_.first_error ? Ink::critical : Ink::good);
    }

    void append_spans() {
        const auto stamped = [](const fwlog::Span& span) { return span.rows != 0; };
        const bool several = std::count_if(summary_.spans.begin(), summary_.spans.end(), stamped) > 1;
        for (const fwlog::Span& span : summary_.spans) {
            if (!stamped(span)) {
                continue;
            }
            const std::uint64_t lasted = span.latest_ns - span.earliest_ns;
            const bool kernel = span.clock == fwlog::Clock::kernel_monotonic;
            line(
                "time",
                fmt::format("{} to {}{} ({}.{:06} s){}", clock_text(span.clock, span.earliest_ns),
                            clock_text(span.clock, span.latest_ns), kernel ? " s since boot" : " as written",
                            lasted / 1'000'000'000, lasted / 1000 % 1'000'000,
                            several ? fmt::format(", {} rows from row {}", span.rows, span.first_line) : ""));
        }
        if (summary_.more_spans != 0) {
            line("time", fmt::format("{} further boots or changes of clock", summary_.more_spans));
        }
        if (summary_.stamps_back != 0) {
            line("order",
                 fmt::format("{} with a stamp earlier than the row before; rows keep their order",
                             summary_.stamps_back == 1 ? "1 row"
                                                       : fmt::format("{} rows", summary_.stamps_back)));
        }
    }

    void append_mark(std::string_view label, const std::optional<fwlog::Mark>& mark) {
        if (!mark) {
            return;
        }
        std::string text = fmt::format("row {}  ", mark->line);
        append_safe(text, mark->time);
        text += mark->time.empty() ? "" : "  ";
        append_safe(text, mark->message);
        line(label, text);
    }

    void append_events() {
        std::string text = fmt::format("{}", summary_.resets);
        text += summary_.recoveries == 0 ? "" : fmt::format(", recovered {}", summary_.recoveries);
        text += summary_.gone == 0 ? "" : fmt::format(", device gone {}", summary_.gone);
        line("resets", text);
        if (summary_.differing != 0) {
            line("disagree",
                 fmt::format("{} values differ from what another row says of the same", summary_.differing),
                 Ink::warning);
        }
    }

    void append_gaps() {
        std::string text = summary_.gaps == 0
                               ? std::string("none known")
                               : fmt::format("{}, {} records lost", summary_.gaps, summary_.lost);
        const auto part = [&](std::uint64_t count, std::string_view what) {
            text += count == 0 ? std::string() : fmt::format(", {} {}", count, what);
        };
        part(summary_.duplicates, "duplicates");
        part(summary_.backwards, "steps back");
        part(summary_.wraps, "wraps of the counter");
        part(summary_.overwritten, "overwritten while they were read");
        line("gaps", text, summary_.gaps == 0 ? Ink::plain : Ink::warning);
    }

    void append_series() {
        for (const fwlog::Series& series : summary_.series) {
            if (series.step == 0) {
                continue;
            }
            std::string text =
                fmt::format("{}: {} numbers from {} to {} in steps of {}, {} missing", series.name,
                            series.seen, series.lowest, series.highest, series.step, series.missing_count);
            for (std::size_t i = 0; i < series.missing.size(); ++i) {
                text += fmt::format("{}{}", i == 0 ? ": " : ", ", series.missing[i]);
            }
            text += series.missing.size() < series.missing_count ? ", ..." : "";
            text += series.partial ? " (more numbers than are remembered)" : "";
            line("numbers", text);
        }
    }

    void append_patterns() {
        std::vector<std::pair<std::uint64_t, std::string>> order;
        for (const auto& [pattern, count] : summary_.patterns) {
            order.emplace_back(count, pattern);
        }
        std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        std::string text;
        for (std::size_t i = 0; i < order.size(); ++i) {
            text += fmt::format("{}{} {}", i == 0 ? "" : ", ", order[i].second, order[i].first);
        }
        if (!text.empty()) {
            out_ += "  known        ";
            append_wrapped(out_, 15, text, true);
        }
    }

    std::string& out_;
    const Style& style_;
    const fwlog::Summary& summary_;
};

} // namespace

std::string clock_text(fwlog::Clock clock, std::uint64_t ns) {
    if (clock != fwlog::Clock::wall && clock != fwlog::Clock::wall_no_year) {
        return fmt::format("{}.{:06}", ns / 1'000'000'000, ns / 1000 % 1'000'000);
    }
    using namespace std::chrono;
    const sys_seconds at{seconds(static_cast<std::int64_t>(ns / 1'000'000'000))};
    const year_month_day date{floor<days>(at)};
    const hh_mm_ss time{at - floor<days>(at)};
    const std::string year =
        clock == fwlog::Clock::wall ? fmt::format("{:04}-", static_cast<int>(date.year())) : std::string();
    return fmt::format("{}{:02}-{:02} {:02}:{:02}:{:02}", year, static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()), time.hours().count(), time.minutes().count(),
                       time.seconds().count());
}

void append_log_summary(std::string& out, const Style& style, const fwlog::Summary& summary,
                        std::uint64_t left_out) {
    SummaryText(out, style, summary).append(left_out);
}

} // namespace barscope::tool
