#include <render/report_markdown_cells.h>

#include <algorithm>

#include <fmt/format.h>

#include <render/report_parts.h>

namespace barscope::tool {

namespace {

std::string bold(std::string_view text) {
    return text.empty() ? std::string() : fmt::format("**{}**", text);
}

} // namespace

std::string code_cell(std::string_view text) {
    std::string out;
    append_code(out, text, true);
    return out;
}

std::string prose_cell(std::string_view text) {
    std::string out;
    append_prose(out, text, true);
    return out;
}

std::string status_cell(std::string_view text) {
    const bool plain =
        std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == ' '; });
    return plain ? std::string(text) : code_cell(text);
}

std::string severity_cell(Severity severity, bool noise) {
    const std::string_view word = severity_word(severity);
    if (noise) {
        return "noise";
    }
    return severity > Severity::ok ? bold(word) : std::string(word);
}

Cells check_cells(const ReportCheck& check, bool difference) {
    const bool failed = check.after == "failed";
    std::string result = status_cell(check.after);
    if (difference && check.changed) {
        result = status_cell(or_none(check.before)) + " → " + result;
    }
    std::string means = prose_cell(check.meaning);
    if (!check.advice.empty()) {
        means += means.empty() ? "" : means.ends_with('.') ? " " : ". ";
        means += prose_cell(check.advice);
    }
    return {failed ? bold(result) : result, failed ? severity_cell(check.severity, false) : std::string(),
            code_cell(check.name), code_cell(check.found), means};
}

void append_subject_table(std::string& out, const Report& report) {
    append_markdown_heading(out, report.difference ? Cells{"", "Before", "After"} : Cells{"", "Snapshot"});
    for (const SubjectRow& fact : subject_rows(report)) {
        Cells row{std::string(fact.name)};
        for (const std::string& text : fact.texts) {
            row.push_back(code_cell(text));
        }
        append_markdown_row(out, row);
    }
}

} // namespace barscope::tool
