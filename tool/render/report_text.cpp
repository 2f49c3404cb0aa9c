#include <render/report_text.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/report_parts.h>
#include <render/report_text_checks.h>
#include <render/table.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

std::string safe(std::string_view text) {
    std::string out;
    append_safe(out, text);
    return out;
}

class ReportText {
  public:
    ReportText(Output& output, const Style& style, const Report& report, bool all)
        : output_(output), out_(output.text()), style_(style), report_(report), all_(all) {}

    void render() {
        append_warnings();
        append_verdict();
        append_identity();
        append_report_checks(out_, style_, report_, all_);
        append_findings();
        append_counters(false, "counters");
        append_counters(true, "indices");
        append_logs();
        append_rows("context", report_.context);
        append_rows("read in one only", report_.coverage);
        append_sources();
        out_ += '\n';
        out_ += total_line(report_, all_);
        out_ += '\n';
    }

  private:
    void heading(std::string_view text) {
        output_.drain();
        out_ += '\n';
        style_.put(out_, Ink::heading, text);
        out_ += '\n';
    }

    void put_table(const Table& table) {
        std::string text;
        table.append(text, style_);
        out_ += text;
    }

    // "old -> new", or what there is.
    std::string change(std::string_view before, std::string_view after) const {
        std::string text;
        if (report_.difference) {
            append_safe(text, or_none(before));
            text += " -> ";
        }
        append_safe(text, or_none(after));
        return text;
    }

    static Table::Cell severity_cell(Severity severity, bool noise) {
        const std::string_view word = noise ? "noise" : severity_word(severity);
        return {"  " + std::string(word.empty() ? "-" : word), noise ? Ink::dim : ink_of(severity)};
    }

    void append_warnings() {
        for (const std::string& warning : report_.warnings) {
            style_.put(out_, Ink::warning, "warning:");
            out_ += ' ';
            append_wrapped(out_, 9, warning, true);
        }
        out_ += report_.warnings.empty() ? "" : "\n";
    }

    void append_verdict() {
        for (const std::string& line : report_.verdict) {
            style_.put(out_, ink_of(report_.worst), safe(line));
            out_ += '\n';
        }
    }

    // What both have in common is said once. What differs is told with its meaning below.
    void append_identity() {
        const std::vector<SubjectRow> facts = subject_rows(report_);
        if (facts.empty()) {
            return;
        }
        heading("identity");
        for (const SubjectRow& fact : facts) {
            const bool told = std::any_of(report_.identity.begin(), report_.identity.end(),
                                          [&](const ReportRow& row) { return row.name == fact.name; });
            const std::string& last = fact.texts.back();
            if (last == fact.texts.front()) {
                append_fact(fact.name, last);
            } else if (!told) {
                append_fact(fact.name,
                            std::string(or_none(fact.texts.front())) + " -> " + std::string(or_none(last)));
            }
        }
        append_rows(report_.difference ? "identity: what differs" : "", report_.identity);
    }

    void append_fact(std::string_view name, std::string_view text) {
        out_ += "  ";
        out_ += name;
        pad(out_, name.size(), 10);
        append_wrapped(out_, 12, text, true);
    }

    void append_rows(std::string_view title, const std::vector<ReportRow>& rows) {
        const auto shown = shown_rows(rows, all_);
        if (shown.empty()) {
            return;
        }
        if (!title.empty()) {
            heading(title);
        }
        Table table({});
        for (const ReportRow* row : shown) {
            const Ink ink = row->noise ? Ink::dim : ink_of(row->severity);
            table.add({{"  " + safe(row->name)},
                       {change(row->before, row->after), ink},
                       {safe(remark_of(*row)), Ink::dim}});
        }
        put_table(table);
    }

    // "[15, 8:7]  why": the changed bits and the remark.
    static std::string marks(const ReportLine& line) {
        std::string text = line.bits.empty() ? std::string() : "[" + line.bits + "]";
        text += text.empty() || line.remark.empty() ? "" : "  ";
        return text + safe(line.remark);
    }

    void append_findings() {
        const std::vector<ReportLine> lines = report_lines(report_, all_);
        if (lines.empty()) {
            return;
        }
        heading(report_.difference ? "registers that changed" : "registers that deserve a look");
        Table table({});
        for (const ReportLine& line : lines) {
            table.add({severity_cell(line.severity, line.noise),
                       {safe(line.name)},
                       {change(line.before, line.after), line.noise ? Ink::dim : ink_of(line.severity)},
                       {marks(line), Ink::dim}});
        }
        put_table(table);
    }

    void append_counters(bool index, std::string_view title) {
        Table table({});
        bool any = false;
        for (const ReportCounter* counter : shown_rows(report_.counters, all_)) {
            if (counter->index != index) {
                continue;
            }
            any = true;
            const Ink ink = counter->noise ? Ink::dim : ink_of(counter->severity);
            std::string notes = counter_notes(*counter);
            if (!severity_word(counter->severity).empty()) {
                notes = std::string(severity_word(counter->severity)) + (notes.empty() ? "" : ": ") + notes;
            }
            table.add({{"  " + safe(counter->name)},
                       {change(counter->before, counter->after)},
                       {safe(counter->delta), ink},
                       {safe(counter->rate)},
                       {safe(counter->source), Ink::dim},
                       {safe(notes), ink}});
        }
        if (any) {
            heading(title);
            put_table(table);
        }
    }

    void append_logs() {
        if (report_.logs.empty() && report_.log_summary.empty()) {
            return;
        }
        heading(report_.difference ? "log records that are new" : "logs");
        if (!report_.log_summary.empty()) {
            out_ += "  ";
            append_safe(out_, report_.log_summary);
            out_ += '\n';
        }
        Table table({});
        for (const ReportLogRecord& record : report_.logs) {
            if (report_.difference && !record.fresh && !all_) {
                continue;
            }
            const Severity severity = record.gap ? Severity::warning : log_severity(record.severity);
            table.add({{"  " + safe(record.time), Ink::dim},
                       {record.gap ? std::string("lost") : safe(record.severity), ink_of(severity)},
                       {safe(record.source), Ink::dim},
                       {safe(record.text)}});
        }
        put_table(table);
    }

    // What failed is told; what is not there, or was not asked for a reason, is counted.
    void append_sources() {
        Table table({});
        std::size_t shown = 0, quiet = 0;
        for (const ReportSource& source : report_.sources) {
            const bool failed = source.status == "failed" || source.status == "refused";
            if (!all_ && !failed) {
                quiet += source.status == "read" ? 0U : 1U;
                continue;
            }
            ++shown;
            Table::Row row{{"  " + safe(source.name)}, {safe(source.status)}, {safe(source.why), Ink::dim}};
            if (all_) {
                row.push_back({safe(source.source), Ink::dim});
            }
            table.add(std::move(row));
        }
        if (shown != 0) {
            heading(all_ ? "sources" : "sources that failed");
            put_table(table);
        }
        if (quiet != 0) {
            out_ += "\n";
            append_decimal(out_, quiet);
            out_ += quiet == 1 ? " source was not there or not asked (--all)\n"
                               : " sources were not there or not asked (--all)\n";
        }
    }

    Output& output_;
    std::string& out_;
    const Style& style_;
    const Report& report_;
    bool all_;
};

} // namespace

void render_report_text(Output& output, const Style& style, const Report& report, bool all) {
    ReportText(output, style, report, all).render();
}

} // namespace barscope::tool
