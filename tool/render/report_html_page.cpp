#include <render/report_html_page.h>

#include <algorithm>

#include <fmt/format.h>

#include <render/html_writer.h>
#include <render/report_parts.h>

namespace barscope::tool {

namespace {

class Page : private HtmlWriter {
  public:
    Page(Output& output, const Report& report)
        : HtmlWriter(output.text()), output_(output), report_(report) {}

    void append() {
        append_top();
        out_ += "<main>\n";
        append_verdict();
        append_warnings();
        append_identity();
        append_checks();
        append_findings();
        out_ += "<section id=\"counters\" hidden></section>\n<section id=\"logs\" hidden></section>\n"
                "<section id=\"registers\" hidden></section>\n"
                "<noscript><p class=\"dim\">Counters, logs and the drawn registers need JavaScript; the page "
                "carries all of them as JSON.</p></noscript>\n";
        append_rows("context", "Context", report_.context);
        append_rows("coverage", "Read in one only", report_.coverage);
        append_sources();
        out_ += "</main>\n<footer><p>Made by ";
        html(report_.subjects.empty() || report_.subjects.back().tool.empty() ? std::string("barscope")
                                                                              : report_.subjects.back().tool);
        out_ += ". One file, no network. <span class=\"screen-only\">Keys: <kbd>/</kbd> search, "
                "<kbd>Esc</kbd> clear, "
                "arrows in the register tree, <kbd>t</kbd> light or dark.</span></p></footer>\n";
    }

  private:
    void begin_values(std::string_view first) {
        if (report_.difference) {
            begin_table({first, "Before", "After", "Remark"});
        } else {
            begin_table({first, "Value", "Remark"});
        }
    }

    void value_cells(std::string_view before, std::string_view after) {
        if (report_.difference) {
            element("td", "mono", or_none(before));
        }
        element("td", "mono", or_none(after));
    }

    void append_top() {
        out_ += "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n<header>";
        element("h1", "", report_title(report_));
        out_ += "</header>\n<div class=\"bar\"><div><nav aria-label=\"Parts of the report\" id=\"nav\"></nav>"
                "<div class=\"controls\" id=\"controls\"></div></div></div>\n";
    }

    void append_verdict() {
        out_ += fmt::format(
            "<section class=\"verdict\" id=\"verdict\" aria-label=\"Verdict\" data-severity=\"{}\">\n",
            severity_word(report_.worst));
        for (const std::string& line : report_.verdict) {
            element("p", "", line);
        }
        if (!severity_word(report_.worst).empty()) {
            element("p", "dim", fmt::format("worst severity: {}", severity_word(report_.worst)));
        }
        out_ += "</section>\n";
    }

    void append_warnings() {
        if (report_.warnings.empty()) {
            return;
        }
        out_ += "<section class=\"warnings\" id=\"warnings\"><h2>Warnings</h2><ul>\n";
        for (const std::string& warning : report_.warnings) {
            element("li", "", warning);
        }
        out_ += "</ul></section>\n";
    }

    void append_identity() {
        out_ += "<section id=\"identity\"><h2>Identity</h2>\n";
        if (report_.difference) {
            begin_table({"", "Before", "After"});
        } else {
            out_ += "<div class=\"wide\"><table class=\"facts\"><tbody>\n";
        }
        for (const SubjectRow& fact : subject_rows(report_)) {
            out_ += "<tr>";
            element("th", "", fact.name);
            for (const std::string& text : fact.texts) {
                element("td", "", text);
            }
            out_ += "</tr>\n";
        }
        end_table();
        if (!report_.identity.empty()) {
            append_row_table(report_.difference ? "What differs" : "", report_.identity);
        }
        out_ += "</section>\n";
    }

    void append_checks() {
        if (report_.checks.empty()) {
            return;
        }
        out_ += "<section id=\"checks\"><h2>Checks</h2>\n";
        begin_table({"Result", "Severity", "Check", "Found", "Meaning and advice"});
        for (const ReportCheck& check : report_.checks) {
            const bool failed = check.after == "failed";
            const std::string_view ink = failed                    ? severity_word(check.severity)
                                         : check.after == "passed" ? "ok"
                                                                   : "dim";
            std::string result = check.after;
            if (report_.difference && check.changed) {
                result = fmt::format("{} → {}", or_none(check.before), result);
            }
            out_ += "<tr>";
            element("td", ink, result);
            element("td", "sev " + std::string(ink), failed ? severity_word(check.severity) : "");
            element("td", "mono", check.name);
            element("td", "mono", check.found);
            out_ += "<td>";
            html(check.meaning);
            if (!check.advice.empty()) {
                out_ += check.meaning.empty() ? "<em>" : "<br><em>";
                html(check.advice);
                out_ += "</em>";
            }
            out_ += "</td></tr>\n";
        }
        end_table();
        out_ += "</section>\n";
    }

    void append_findings() {
        const std::vector<ReportLine> lines = report_lines(report_, true);
        out_ += "<section id=\"findings\"><h2>";
        out_ += report_.difference ? "Registers that changed" : "Registers that deserve a look";
        out_ += fmt::format(
            " <span class=\"count\">({})</span></h2>\n<div id=\"cards\"></div>\n<div id=\"finding-lines\">",
            report_.registers.size());
        if (!lines.empty()) {
            if (report_.difference) {
                begin_table({"Severity", "Field", "Before", "After", "Bits", "Remark"});
            } else {
                begin_table({"Severity", "Field", "Value", "Remark"});
            }
        }
        for (std::size_t i = 0; i < std::min(lines.size(), most_rows); ++i) {
            append_line(lines[i]);
        }
        if (!lines.empty()) {
            end_table(lines.size());
        }
        out_ += "</div>\n";
        element("p", "dim", lines.empty() ? "None." : "");
        out_ += "</section>\n";
    }

    void append_line(const ReportLine& line) {
        out_ += line.noise ? "<tr class=\"noise\">" : "<tr>";
        severity_cell(line.severity, line.noise);
        element("td", "mono", line.name);
        value_cells(line.before, line.after);
        if (report_.difference) {
            element("td", "mono", line.bits);
        }
        element("td", "", line.remark);
        out_ += "</tr>\n";
        output_.drain();
    }

    void append_row_table(std::string_view first, const std::vector<ReportRow>& rows) {
        begin_values(first);
        for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
            const ReportRow& row = rows[i];
            out_ += row.noise ? "<tr class=\"noise\">" : "<tr>";
            element("td", severity_word(row.severity), row.name);
            value_cells(row.before, row.after);
            element("td", "", remark_of(row));
            out_ += "</tr>\n";
            output_.drain();
        }
        end_table(rows.size());
    }

    void append_rows(std::string_view id, std::string_view title, const std::vector<ReportRow>& rows) {
        if (!rows.empty()) {
            begin_fold(id, title, rows.size());
            append_row_table("Name", rows);
            end_fold();
        }
    }

    void append_sources() {
        if (report_.sources.empty()) {
            return;
        }
        begin_fold("sources", "Sources", report_.sources.size());
        begin_table({"Of", "Name", "Status", "Why"});
        for (const ReportSource& source : report_.sources) {
            out_ += "<tr>";
            element("td", "", source.source);
            element("td", "mono", source.name);
            element("td", source.status == "failed" ? "warning" : "", source.status);
            element("td", "", source.why);
            out_ += "</tr>\n";
        }
        end_table();
        end_fold();
    }

    Output& output_;
    const Report& report_;
};

} // namespace

std::string report_title(const Report& report) {
    std::string title = report.difference ? "Difference of two snapshots" : "Snapshot";
    if (!report.subjects.empty()) {
        const ReportSubject& subject = report.subjects.back();
        for (const std::string* part : {&subject.address, &subject.description}) {
            title += part->empty() ? "" : part == &subject.address ? ": " : " ";
            title += *part;
        }
    }
    return title;
}

void append_report_page(Output& output, const Report& report) {
    Page(output, report).append();
}

} // namespace barscope::tool
