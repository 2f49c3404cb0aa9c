#include <evidence/evidence.h>

#include <evidence/compare_checks.h>
#include <evidence/compare_context.h>
#include <evidence/compare_counters.h>
#include <evidence/compare_coverage.h>
#include <evidence/compare_logs.h>
#include <evidence/compare_registers.h>
#include <evidence/identity.h>
#include <evidence/report_sources.h>
#include <evidence/verdict.h>

namespace barscope::tool {

Report compare(const Evidence& before, const Evidence& after, const CompareOptions& options) {
    Report report;
    report.difference = true;
    report.subjects = {report_subject(before), report_subject(after)};
    compare_identity(before, after, report);
    const Comparison comparison(before, after, options);
    compare_checks(comparison, report);
    compare_registers(comparison, report);
    compare_register_counters(comparison, report);
    compare_logs(before, after, options, report);
    compare_context(before, after, options, report);
    compare_coverage(comparison, report);
    add_sources(comparison.after, report);
    if (options.tree) {
        fill_tree(comparison, report);
    }
    add_verdict(comparison, report);
    return report;
}

bool has_findings(const Report& report) {
    return report.findings != 0;
}

} // namespace barscope::tool
