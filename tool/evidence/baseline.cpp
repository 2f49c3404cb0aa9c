#include <evidence/evidence.h>

#include <algorithm>

#include <fmt/format.h>

#include <evidence/baseline_registers.h>
#include <evidence/compare_checks.h>
#include <evidence/compare_registers.h>
#include <evidence/findings.h>
#include <evidence/head.h>
#include <evidence/identity.h>
#include <evidence/majority.h>
#include <evidence/report_sources.h>
#include <evidence/verdict.h>

namespace barscope::tool {

namespace {

using nlohmann::json;
using Texts = std::map<std::string, std::string>;

// Settings by "collector: key".
Texts settings_of(const Snapshot& snapshot) {
    Texts out;
    for (const json& collector : list_in_head(snapshot, "context")) {
        const json* values = member(&collector, "values");
        if (text_of(member(&collector, "kind")) != "settings" || values == nullptr || !values->is_object()) {
            continue;
        }
        for (const auto& [key, value] : values->items()) {
            out.emplace(text_of(member(&collector, "name")) + ": " + key, text_of(&value));
        }
    }
    return out;
}

using TextsOf = Texts (*)(const Snapshot&);

void compare_texts(std::span<const Evidence> fleet, const Evidence& one, TextsOf texts_of, Severity severity,
                   Report& report, std::vector<ReportRow>& rows) {
    std::map<std::string, Tally<std::string>> tallies;
    for (std::size_t member = 0; member < fleet.size(); ++member) {
        for (const auto& [name, text] : texts_of(fleet[member].snapshot)) {
            if (!text.empty()) {
                tallies[name].add(text, member);
            }
        }
    }
    for (const auto& [name, text] : texts_of(one.snapshot)) {
        const auto found = tallies.find(name);
        const auto majority =
            found == tallies.end() ? Tally<std::string>::Majority{} : found->second.majority();
        if (majority.value == nullptr || text.empty() || *majority.value == text) {
            continue;
        }
        ReportRow row;
        row.name = name;
        row.before = *majority.value;
        row.after = text;
        row.severity = severity;
        row.changed = true;
        row.remark = share_text(majority.count, found->second.total());
        note(report, severity, false);
        rows.push_back(std::move(row));
    }
}

void compare_checks_with_fleet(std::span<const Evidence> fleet, const Side& one, Report& report) {
    std::map<std::string_view, Tally<regmaps::CheckResult>> tallies;
    for (std::size_t member = 0; member < fleet.size(); ++member) {
        if (fleet[member].passes.empty()) {
            continue;
        }
        for (const regmaps::DecodedCheck& check : fleet[member].passes.back().decoded.checks) {
            const regmaps::RegisterMap& map = fleet[member].map;
            tallies[map.text(map.checks[check.check].name)].add(check.result, member);
        }
    }
    Report all;
    describe_checks(one, all);
    for (ReportCheck& check : all.checks) {
        const auto found = tallies.find(check.name);
        const auto majority =
            found == tallies.end() ? Tally<regmaps::CheckResult>::Majority{} : found->second.majority();
        if (majority.value == nullptr || result_text(*majority.value) == check.after) {
            continue;
        }
        check.before = result_text(*majority.value);
        check.changed = true;
        check.severity = check.after == "failed" ? check.severity : Severity::notice;
        note(report, check.severity, false);
        report.checks.push_back(std::move(check));
    }
}

} // namespace

Result<Report> compare_with_baseline(std::span<const Evidence> fleet, const Evidence& one,
                                     const CompareOptions& options) {
    if (fleet.size() < smallest_fleet) {
        return fail(
            {.code = ErrorCode::usage,
             .cause = "small-baseline",
             .what =
                 fmt::format("{} snapshots are no baseline: what nearly all of them have takes {} or more",
                             fleet.size(), smallest_fleet),
             .where = {},
             .remedy = "take snapshots of more machines, or compare with one of them: `barscope diff`"});
    }
    Report report;
    report.difference = true;
    ReportSubject baseline;
    baseline.file = fmt::format("baseline of {} snapshots", fleet.size());
    report.subjects = {std::move(baseline), report_subject(one)};
    Report of_one;
    describe_identity(one, of_one);
    report.warnings = std::move(of_one.warnings);
    compare_texts(fleet, one, common_traits, Severity::warning, report, report.identity);
    std::vector<Comparison> comparisons;
    comparisons.reserve(fleet.size());
    for (const Evidence& member : fleet) {
        comparisons.emplace_back(member, one, options);
    }
    const Side& side = comparisons.front().after;
    compare_checks_with_fleet(fleet, side, report);
    compare_registers_with_fleet(comparisons, report);
    compare_texts(fleet, one, settings_of, Severity::notice, report, report.context);
    add_sources(side, report);
    if (options.tree) {
        for (regmaps::Index position = 0; position < side.size(); ++position) {
            report.tree.push_back(told_register(side, position));
        }
    }
    add_verdict_on_baseline(fleet.size(), report);
    return report;
}

} // namespace barscope::tool
