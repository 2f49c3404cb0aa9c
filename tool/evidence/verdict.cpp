#include <evidence/verdict.h>

#include <algorithm>

#include <fmt/format.h>

namespace barscope::tool {

namespace {

constexpr std::size_t most_reasons = 2;

// A sentence with what decides its place.
struct Reason {
    Severity severity = Severity::unspecified;
    std::string text;
};

std::string_view name_of(Severity severity) {
    return severity == Severity::unspecified ? "unrated" : regmaps::name(severity);
}

std::string change_text(std::string_view name, std::string_view before, std::string_view after) {
    return before.empty() ? fmt::format("{} is {}", name, after)
                          : fmt::format("{} went from {} to {}", name, before, after);
}

std::string register_reason(const ReportRegister& reg) {
    const auto worst = std::max_element(
        reg.fields.begin(), reg.fields.end(), [](const ReportField& a, const ReportField& b) {
            return std::pair(a.changed, a.severity) < std::pair(b.changed, b.severity);
        });
    if (worst == reg.fields.end() || (reg.changed && !worst->changed)) {
        return change_text(reg.name, reg.before, reg.after);
    }
    const std::string field = worst->name.empty()        ? fmt::format(" bits {}:{}", worst->msb, worst->lsb)
                              : worst->name == "(value)" ? std::string()
                                                         : "." + worst->name;
    return change_text(reg.name + field, worst->before, worst->after);
}

std::string counter_reason(const ReportCounter& counter) {
    const std::string where = counter.source.empty() || counter.source == "register"
                                  ? counter.name
                                  : counter.source + " " + counter.name;
    if (counter.stalled) {
        return fmt::format("{} stands still at {}", where, counter.after);
    }
    if (counter.reset) {
        return fmt::format("{} was reset: {} to {}", where, counter.before, counter.after);
    }
    if (counter.delta.empty()) {
        return change_text(where, counter.before, counter.after);
    }
    return fmt::format("{} advanced by {}{}", where, counter.delta.substr(1),
                       counter.rate.empty() ? "" : " (" + counter.rate + ")");
}

Severity severity_of_log(const ReportLogRecord& record) {
    return record.severity == "critical" ? Severity::critical
           : record.severity == "error"  ? Severity::warning
                                         : Severity::unspecified;
}

// The first of each kind: their lists have the worst first.
std::vector<Reason> reasons_of(const Report& report) {
    std::vector<Reason> out;
    for (const ReportRegister& reg : report.registers) {
        if (!reg.noise && out.size() < most_reasons) {
            out.push_back({reg.severity, register_reason(reg)});
        }
    }
    const auto check = std::find_if(report.checks.begin(), report.checks.end(), [&](const ReportCheck& c) {
        return report.difference ? c.changed : c.after == "failed";
    });
    if (check != report.checks.end()) {
        out.push_back({check->severity, fmt::format("check {} {}{}: {}", check->name,
                                                    report.difference && !check->before.empty()
                                                        ? "went from " + check->before + " to "
                                                        : std::string(),
                                                    check->after, check->meaning)});
    }
    if (!report.counters.empty() && report.difference && !report.counters.front().noise) {
        out.push_back({report.counters.front().severity, counter_reason(report.counters.front())});
    }
    const auto log = std::find_if(report.logs.begin(), report.logs.end(), [&](const ReportLogRecord& record) {
        return (record.fresh || !report.difference) && severity_of_log(record) != Severity::unspecified;
    });
    if (log != report.logs.end()) {
        out.push_back({severity_of_log(*log),
                       fmt::format("log: {}{}{}", log->time, log->time.empty() ? "" : " ", log->text)});
    }
    for (const auto* rows : {&report.identity, &report.context, &report.coverage}) {
        const auto row = std::find_if(rows->begin(), rows->end(),
                                      [](const ReportRow& r) { return r.changed && !r.noise; });
        if (row != rows->end() && report.difference) {
            out.push_back({row->severity,
                           rows == &report.coverage
                               ? fmt::format("{}: {} before, {} after", row->name, row->before, row->after)
                               : fmt::format("{} went from {} to {}", row->name, row->before, row->after)});
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Reason& a, const Reason& b) { return a.severity > b.severity; });
    return out;
}

std::string_view death_text(const Capture& capture) {
    switch (death(capture)) {
    case Death::device:
        return "the device does not answer";
    case Death::bar:
        return "the BAR does not answer, configuration space does";
    case Death::none:
        break;
    }
    return {};
}

std::string counts_text(const Report& report) {
    std::string out = report.findings == 0 ? "no finding"
                      : report.findings == 1
                          ? fmt::format("1 finding, {}", name_of(report.worst))
                          : fmt::format("{} findings, the worst {}", report.findings, name_of(report.worst));
    return report.noise == 0 ? out : out + fmt::format("; {} noise", report.noise);
}

void add_reasons(Report& report) {
    for (Reason& reason : reasons_of(report)) {
        if (report.verdict.size() >= most_reasons) {
            break;
        }
        const bool mark = reason.severity >= Severity::warning;
        report.verdict.push_back(mark ? fmt::format("{} [{}]", reason.text, name_of(reason.severity))
                                      : std::move(reason.text));
    }
}

} // namespace

void add_verdict(const Comparison& comparison, Report& report) {
    const std::string_view dead_before = death_text(comparison.before.capture());
    const std::string_view dead_after = death_text(comparison.after.capture());
    if (!dead_after.empty()) {
        report.verdict.push_back(fmt::format("AFTER: {} [critical]{}", dead_after,
                                             dead_before.empty() ? "" : "; it did not in BEFORE either"));
    } else if (!dead_before.empty()) {
        report.verdict.push_back(fmt::format("BEFORE: {}; in AFTER it does", dead_before));
    }
    add_reasons(report);
    report.verdict.push_back(counts_text(report));
}

void add_verdict_on_baseline(std::size_t fleet, Report& report) {
    add_reasons(report);
    report.verdict.push_back(fmt::format("compared with {} snapshots: {}", fleet, counts_text(report)));
}

void add_verdict(const Side& side, Report& report) {
    const std::string_view dead = death_text(side.capture());
    if (!dead.empty()) {
        report.verdict.push_back(fmt::format("{} [critical]", dead));
        report.worst = Severity::critical;
    }
    add_reasons(report);
    const auto count = [&](std::string_view result) {
        return std::count_if(report.checks.begin(), report.checks.end(),
                             [&](const ReportCheck& check) { return check.after == result; });
    };
    const auto failed = count("failed");
    const auto open = count("not evaluated");
    report.verdict.push_back(fmt::format("checks: {} failed, {} not evaluated, {} passed{}", failed, open,
                                         count("passed"),
                                         report.log_summary.empty() ? "" : "; log: " + report.log_summary));
}

} // namespace barscope::tool
