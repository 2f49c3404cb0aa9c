#include <render/report_markdown.h>

#include <algorithm>

#include <fmt/format.h>

#include <render/report_markdown_cells.h>
#include <render/report_parts.h>

namespace barscope::tool {

namespace {

constexpr std::size_t open_rows = 20;  // findings that are not folded
constexpr std::size_t most_rows = 100; // of a table

class ReportMarkdown {
  public:
    ReportMarkdown(Output& output, const Report& report, bool all)
        : output_(output), out_(output.text()), report_(report), all_(all) {}

    void render() {
        append_verdict();
        append_warnings();
        append_findings();
        append_checks();
        append_identity();
        append_counters(false, "Counters");
        append_counters(true, "Indices");
        append_logs();
        append_rows("Context", report_.context);
        append_rows("Read in one only", report_.coverage);
        append_sources();
        out_ += '\n';
        out_ += total_line(report_, all_);
        out_ += ".\n";
    }

  private:
    void append_verdict() {
        const std::vector<std::string> fallback{total_line(report_, all_)};
        const std::vector<std::string>& verdict = report_.verdict.empty() ? fallback : report_.verdict;
        for (std::size_t i = 0; i < verdict.size(); ++i) {
            std::string line;
            append_prose(line, verdict[i], false);
            out_ += i == 0 ? "**" + line + "**" : "- " + line;
            out_ += '\n';
        }
    }

    void append_warnings() {
        if (!report_.warnings.empty()) {
            out_ += "\n### Warnings\n\n";
        }
        for (const std::string& warning : report_.warnings) {
            out_ += "- ";
            append_prose(out_, warning, false);
            out_ += '\n';
        }
    }

    // A heading for what is open, a fold for what is long.
    void begin(std::string_view title, std::size_t count, bool folded) {
        output_.drain();
        out_ += folded ? fmt::format("\n<details><summary>{} ({})</summary>\n\n", title, count)
                       : fmt::format("\n### {}\n\n", title);
    }
    void end(bool folded) { out_ += folded ? "\n</details>\n" : ""; }

    void append_table(const Cells& headings, const std::vector<Cells>& rows, std::size_t first,
                      std::size_t last) {
        append_markdown_heading(out_, headings);
        for (std::size_t i = first; i < std::min(last, rows.size()); ++i) {
            append_markdown_row(out_, rows[i]);
        }
        if (rows.size() > last && last == most_rows) {
            out_ += fmt::format("\n{} more are not shown here; the text and HTML forms have them.\n",
                                rows.size() - last);
        }
    }

    void append_folded(std::string_view title, const Cells& headings, const std::vector<Cells>& rows) {
        if (!rows.empty()) {
            begin(title, rows.size(), true);
            append_table(headings, rows, 0, most_rows);
            end(true);
        }
    }

    Cells with_values(Cells headings, const Cells& rest) const {
        if (report_.difference) {
            headings.insert(headings.end(), {"Before", "After"});
        } else {
            headings.emplace_back("Value");
        }
        headings.insert(headings.end(), rest.begin(), rest.end());
        return headings;
    }

    void add_values(Cells& row, std::string_view before, std::string_view after) const {
        if (report_.difference) {
            row.push_back(code_cell(before));
        }
        row.push_back(code_cell(after));
    }

    void append_findings() {
        std::vector<Cells> rows;
        for (const ReportLine& line : report_lines(report_, all_)) {
            Cells row{severity_cell(line.severity, line.noise), code_cell(line.name)};
            add_values(row, line.before, line.after);
            if (report_.difference) {
                row.push_back(line.bits);
            }
            row.push_back(prose_cell(line.remark));
            rows.push_back(std::move(row));
        }
        if (rows.empty()) {
            return;
        }
        const Cells headings = with_values({"Severity", "Field"},
                                           report_.difference ? Cells{"Bits", "Remark"} : Cells{"Remark"});
        begin(report_.difference ? "Registers that changed" : "Registers that deserve a look", 0, false);
        append_table(headings, rows, 0, open_rows);
        if (rows.size() > open_rows) {
            begin("The other registers", rows.size() - open_rows, true);
            append_table(headings, rows, open_rows, most_rows);
            end(true);
        }
    }

    void append_checks() {
        std::vector<Cells> open, folded;
        for (const ReportCheck& check : report_.checks) {
            const bool told = check.after == "failed" || check.changed;
            (told ? open : folded).push_back(check_cells(check, report_.difference));
        }
        const Cells headings{"Result", "Severity", "Check", "Found", "Meaning and advice"};
        if (!open.empty()) {
            begin("Checks", 0, false);
            append_table(headings, open, 0, most_rows);
        }
        append_folded(open.empty() ? "Checks" : "The other checks", headings, folded);
    }

    void append_identity() {
        if (!report_.subjects.empty()) {
            begin("Identity", 0, false);
            append_subject_table(out_, report_);
        }
        std::vector<Cells> rows = row_cells(report_.identity);
        if (!rows.empty()) {
            out_ += '\n';
            append_table(with_values({report_.difference ? "What differs" : ""}, {"Remark"}), rows, 0,
                         most_rows);
        }
    }

    std::vector<Cells> row_cells(const std::vector<ReportRow>& rows) const {
        std::vector<Cells> cells;
        for (const ReportRow* row : shown_rows(rows, all_)) {
            Cells made{code_cell(row->name)};
            add_values(made, row->before, row->after);
            made.push_back(prose_cell(remark_of(*row)));
            cells.push_back(std::move(made));
        }
        return cells;
    }

    void append_rows(std::string_view title, const std::vector<ReportRow>& rows) {
        append_folded(title, with_values({"Name"}, {"Remark"}), row_cells(rows));
    }

    void append_counters(bool index, std::string_view title) {
        std::vector<Cells> rows;
        for (const ReportCounter* counter : shown_rows(report_.counters, all_)) {
            if (counter->index == index) {
                Cells row{severity_cell(counter->severity, counter->noise), code_cell(counter->name),
                          prose_cell(counter->source)};
                add_values(row, counter->before, counter->after);
                row.insert(row.end(), {code_cell(counter->delta), code_cell(counter->rate),
                                       prose_cell(counter_notes(*counter))});
                rows.push_back(std::move(row));
            }
        }
        append_folded(title, with_values({"Severity", "Name", "Source"}, {"Moved", "Rate", "Notes"}), rows);
    }

    void append_logs() {
        std::vector<Cells> rows;
        for (const ReportLogRecord& record : report_.logs) {
            if (!report_.difference || record.fresh || all_) {
                rows.push_back({code_cell(record.time), record.gap ? "lost" : code_cell(record.severity),
                                prose_cell(record.source), code_cell(record.text)});
            }
        }
        if (!report_.log_summary.empty()) {
            out_ += "\nLogs: ";
            append_prose(out_, report_.log_summary, false);
            out_ += '\n';
        }
        append_folded(report_.difference ? "Log records that are new" : "Logs",
                      {"Time", "Severity", "Source", "Text"}, rows);
    }

    void append_sources() {
        std::vector<Cells> rows;
        for (const ReportSource& source : report_.sources) {
            if (all_ || source.status != "read") {
                rows.push_back({prose_cell(source.source), code_cell(source.name), status_cell(source.status),
                                prose_cell(source.why)});
            }
        }
        append_folded(all_ ? "Sources" : "Sources that gave nothing", {"Of", "Name", "Status", "Why"}, rows);
    }

    Output& output_;
    std::string& out_;
    const Report& report_;
    bool all_;
};

} // namespace

void render_report_markdown(Output& output, const Report& report, bool all) {
    ReportMarkdown(output, report, all).render();
}

} // namespace barscope::tool
