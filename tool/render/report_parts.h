// What the renderers of reports share: a register's findings as lines, ranges of bits, totals. Texts stay as
// they came; each renderer escapes them for its own format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <evidence/report.h>
#include <render/style.h>

namespace barscope::tool {

// "31, 15:8, 0": the highest first.
std::string bit_ranges(std::uint64_t bits);
std::uint64_t bits_of(const ReportField& field);

// "warning"; empty where the map says nothing.
std::string_view severity_word(Severity severity);

// One line of a report: a field, or a register where no field of it says more.
struct ReportLine {
    std::string name;          // "BLOCK.REGISTER.FIELD"
    std::string before, after; // of one snapshot `before` is empty
    std::string bits;          // those that changed
    std::string remark;
    Severity severity = Severity::unspecified;
    bool noise = false;
};

// What is to be said of these registers, the worst first and otherwise in their order. Noise only with `all`.
std::vector<ReportLine> report_lines(const Report& report, bool all);

// "wrapped, stands still": what a counter's figures do not tell by themselves.
std::string counter_notes(const ReportCounter& counter);

// "notice: correctable": the severity in words, then what the row means.
std::string remark_of(const ReportRow& row);

// What is neither shown before nor after: "(none)" where a text is empty.
std::string_view or_none(std::string_view text);

// "12 findings, 34 noise left out (--all)".
std::string total_line(const Report& report, bool all);

// "before", "after", or nothing in a report on one snapshot.
std::string_view subject_role(const Report& report, std::size_t index);
// "label \"after the reset\"", "bnxt_en 6.1", ...: what is known of a subject, in reading order.
struct SubjectFact {
    std::string_view name;
    std::string text;
};
std::vector<SubjectFact> subject_facts(const ReportSubject& subject);
// The same side by side: one text a subject, empty where it is not known of that one.
struct SubjectRow {
    std::string_view name;
    std::vector<std::string> texts;
};
std::vector<SubjectRow> subject_rows(const Report& report);

// In the words of the log: how bad a record is.
Severity log_severity(std::string_view word);

// The elements of `rows` that are shown: noise only with `all`.
template <typename Row>
std::vector<const Row*> shown_rows(const std::vector<Row>& rows, bool all) {
    std::vector<const Row*> shown;
    for (const Row& row : rows) {
        if (all || !row.noise) {
            shown.push_back(&row);
        }
    }
    return shown;
}

} // namespace barscope::tool
