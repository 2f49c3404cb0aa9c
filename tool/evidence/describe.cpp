#include <evidence/evidence.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <evidence/compare_checks.h>
#include <evidence/compare_context.h>
#include <evidence/compare_logs.h>
#include <evidence/compare_registers.h>
#include <evidence/describe_counters.h>
#include <evidence/findings.h>
#include <evidence/identity.h>
#include <evidence/report_sources.h>
#include <evidence/verdict.h>

namespace barscope::tool {

namespace {

using regmaps::Index;

struct Candidate {
    Index position = 0;
    Severity severity = Severity::unspecified;
};

// Registers that deserve a look, the worst first.
void describe_registers(const Side& side, const CompareOptions& options, Report& report) {
    std::vector<Candidate> found;
    for (Index position = 0; position < side.size(); ++position) {
        if (!side.has_value(position)) {
            continue;
        }
        const Severity severity = severity_of_register(side, position);
        if (severity > Severity::ok) {
            note(report, severity, false);
            found.push_back({position, severity});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.severity > b.severity; });
    cut_to_size(found, options, "registers", report);
    for (const Candidate& candidate : found) {
        report.registers.push_back(told_register(side, candidate.position));
    }
}

// What was not read, in runs of one reason.
void describe_coverage(const Side& side, Report& report) {
    struct Run {
        Index first = 0, last = 0;
        std::size_t count = 0;
    };
    std::map<std::string, Run> runs;
    for (Index position = 0; position < side.size(); ++position) {
        if (!side.has_value(position)) {
            Run& run = runs[side.reason(position)];
            run.first = run.count == 0 ? position : run.first;
            run.last = position;
            ++run.count;
        }
    }
    for (const auto& [reason, run] : runs) {
        ReportRow row;
        row.name = run.count == 1 ? side.name(run.first)
                                  : fmt::format("{} to {} ({} registers)", side.name(run.first),
                                                side.name(run.last), run.count);
        row.after = reason;
        report.coverage.push_back(std::move(row));
    }
}

} // namespace

Report describe(const Evidence& one, const CompareOptions& options) {
    Report report;
    report.subjects = {report_subject(one)};
    const Side side(one);
    describe_identity(one, report);
    describe_checks(side, report);
    describe_registers(side, options, report);
    describe_counters(side, options, report);
    describe_logs(one, options, report);
    describe_context(one, report);
    describe_coverage(side, report);
    add_sources(side, report);
    if (options.tree) {
        report.tree.reserve(side.size());
        for (Index position = 0; position < side.size(); ++position) {
            report.tree.push_back(told_register(side, position));
        }
    }
    add_verdict(side, report);
    return report;
}

} // namespace barscope::tool
