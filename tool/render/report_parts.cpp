#include <render/report_parts.h>

#include <algorithm>

#include <fmt/format.h>

namespace barscope::tool {

namespace {

std::uint64_t mask(unsigned lsb, unsigned msb) {
    const std::uint64_t up_to = msb >= 63 ? ~std::uint64_t{0} : (std::uint64_t{1} << (msb + 1)) - 1;
    return lsb >= 64 ? 0 : up_to & ~std::uint64_t{0} << lsb;
}

std::string raw_text(const std::string& value, const std::string& reason) {
    return !value.empty() || reason.empty() ? value : "not read: " + reason;
}

ReportLine register_line(const ReportRegister& reg, bool difference, std::uint64_t bits) {
    ReportLine line;
    line.name = reg.name;
    line.before = difference ? raw_text(reg.before, reg.before_reason) : std::string();
    line.after = raw_text(reg.after, reg.after_reason);
    line.bits = bit_ranges(bits);
    line.severity = reg.severity;
    line.noise = reg.noise;
    line.remark = reg.remark;
    return line;
}

void add_fields(std::vector<ReportLine>& lines, const ReportRegister& reg, bool difference) {
    std::uint64_t left = difference ? reg.changed_bits : 0;
    const std::size_t begin = lines.size();
    for (const ReportField& field : reg.fields) {
        const bool worth = difference ? field.changed : field.severity > Severity::ok;
        if (!worth || field.name.empty()) {
            continue;
        }
        ReportLine line;
        line.name = reg.name + '.' + field.name;
        line.before = difference ? field.before : std::string();
        line.after = field.after;
        line.bits = bit_ranges(reg.changed_bits & bits_of(field));
        line.severity = field.severity;
        line.noise = reg.noise;
        lines.push_back(std::move(line));
        left &= ~bits_of(field);
    }
    const auto first = lines.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto worst = std::max_element(
        first, lines.end(), [](const ReportLine& a, const ReportLine& b) { return a.severity < b.severity; });
    if (worst != lines.end()) {
        worst->remark = reg.remark; // said once
    }
    // Bits outside of every field that is named here, or no such field at all.
    if (left != 0 || lines.size() == begin) {
        ReportLine rest = register_line(reg, difference, left);
        rest.severity = lines.size() == begin ? reg.severity : Severity::unspecified;
        rest.remark = lines.size() == begin ? reg.remark : std::string();
        lines.push_back(std::move(rest));
    }
}

void add(std::vector<SubjectFact>& facts, std::string_view name, std::string text) {
    if (!text.empty()) {
        facts.push_back({name, std::move(text)});
    }
}

std::string joined(std::string_view first, std::string_view second) {
    std::string text(first);
    text += first.empty() || second.empty() ? "" : " ";
    return text += second;
}

} // namespace

std::string bit_ranges(std::uint64_t bits) {
    std::string text;
    for (int high = 63; high >= 0; --high) {
        const auto set = [bits](int bit) { return bit >= 0 && (bits >> bit & 1) != 0; };
        if (!set(high)) {
            continue;
        }
        int low = high;
        while (set(low - 1)) {
            --low;
        }
        text += text.empty() ? "" : ", ";
        text += low == high ? fmt::format("{}", high) : fmt::format("{}:{}", high, low);
        high = low;
    }
    return text;
}

std::uint64_t bits_of(const ReportField& field) {
    return mask(field.lsb, field.msb);
}

std::string_view severity_word(Severity severity) {
    return severity == Severity::unspecified ? std::string_view() : regmaps::name(severity);
}

std::vector<ReportLine> report_lines(const Report& report, bool all) {
    std::vector<ReportLine> lines;
    for (const ReportRegister& reg : report.registers) {
        if (reg.noise && !all) {
            continue;
        }
        const bool unread = reg.after.empty() || (report.difference && reg.before.empty());
        if (unread) {
            lines.push_back(register_line(reg, report.difference, 0));
        } else {
            add_fields(lines, reg, report.difference);
        }
    }
    std::stable_sort(lines.begin(), lines.end(), [](const ReportLine& a, const ReportLine& b) {
        return a.noise != b.noise ? b.noise : a.severity > b.severity;
    });
    return lines;
}

std::string counter_notes(const ReportCounter& counter) {
    std::string text;
    const auto note = [&text](bool says, std::string_view what) {
        if (says) {
            text += text.empty() ? "" : ", ";
            text += what;
        }
    };
    note(counter.reset, "reset: it went backwards");
    note(counter.stalled, "stands still");
    note(counter.wrapped, "wrapped");
    note(!counter.remark.empty(), counter.remark);
    return text;
}

std::string remark_of(const ReportRow& row) {
    std::string text(severity_word(row.severity));
    text += text.empty() || row.remark.empty() ? "" : ": ";
    return text + row.remark;
}

std::string_view or_none(std::string_view text) {
    return text.empty() ? std::string_view("(none)") : text;
}

std::string total_line(const Report& report, bool all) {
    std::string text = report.findings == 0
                           ? "no findings"
                           : fmt::format("{} finding{}", report.findings, report.findings == 1 ? "" : "s");
    if (report.noise != 0 && !all) {
        text += fmt::format(", {} noise left out (--all)", report.noise);
    }
    return text;
}

std::string_view subject_role(const Report& report, std::size_t index) {
    if (!report.difference) {
        return {};
    }
    return index == 0 ? "before" : "after";
}

std::vector<SubjectFact> subject_facts(const ReportSubject& subject) {
    std::vector<SubjectFact> facts;
    add(facts, "device", joined(joined(subject.address, subject.ids), subject.description));
    add(facts, "driver", joined(subject.driver, subject.driver_version));
    add(facts, "firmware", subject.firmware);
    add(facts, "map", subject.map);
    add(facts, "host", joined(subject.host, subject.kernel));
    add(facts, "file", subject.file);
    add(facts, "label", subject.label);
    add(facts, "made", subject.created);
    add(facts, "stopped", subject.stopped);
    add(facts, "passes", subject.passes == 0 ? "" : fmt::format("{}", subject.passes));
    add(facts, "tool", subject.tool);
    add(facts, "redacted", subject.redacted ? "yes: names and addresses are pseudonyms" : "");
    return facts;
}

std::vector<SubjectRow> subject_rows(const Report& report) {
    std::vector<SubjectRow> rows;
    for (std::size_t i = 0; i < report.subjects.size(); ++i) {
        for (SubjectFact& fact : subject_facts(report.subjects[i])) {
            auto row = std::find_if(rows.begin(), rows.end(),
                                    [&](const SubjectRow& known) { return known.name == fact.name; });
            if (row == rows.end()) {
                rows.push_back({fact.name, std::vector<std::string>(report.subjects.size())});
                row = rows.end() - 1;
            }
            row->texts[i] = std::move(fact.text);
        }
    }
    return rows;
}

Severity log_severity(std::string_view word) {
    if (word == "critical" || word == "error") {
        return Severity::critical;
    }
    if (word == "warning") {
        return Severity::warning;
    }
    return word == "notice" ? Severity::notice : Severity::unspecified;
}

} // namespace barscope::tool
