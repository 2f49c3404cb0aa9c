#include <evidence/compare_checks.h>

#include <algorithm>
#include <map>

#include <capture/unread.h>
#include <evidence/findings.h>
#include <render/digits.h>

namespace barscope::tool {

namespace {

using regmaps::CheckResult;
using regmaps::DecodedCheck;

std::string found_text(const Side& side, const DecodedCheck& check) {
    std::string out;
    for (const auto& [name, value] : check.inputs) {
        out += out.empty() ? "" : ", ";
        out += name;
        if (value) {
            out += " = ";
            append_hex(out, *value);
        } else {
            out += ": " + why_unread(side.map(), side.capture(), name).why;
        }
    }
    return out;
}

ReportCheck told(const Side& side, const DecodedCheck& check) {
    const regmaps::Check& definition = side.map().checks[check.check];
    ReportCheck out;
    out.name = side.map().text(definition.name);
    out.after = result_text(check.result);
    out.severity = definition.severity;
    out.found = found_text(side, check);
    // What it means is what it means to fail.
    if (check.result == CheckResult::failed || check.result == CheckResult::not_evaluated) {
        out.meaning = side.map().text(definition.meaning);
    }
    if (check.result == CheckResult::failed) {
        out.advice = side.map().text(definition.advice);
    }
    return out;
}

Severity severity_of(CheckResult before, CheckResult after, Severity of_failure) {
    switch (after) {
    case CheckResult::failed:
        return of_failure;
    case CheckResult::not_evaluated:
        return Severity::warning; // no all-clear any more
    case CheckResult::passed:
    case CheckResult::not_applicable:
        break;
    }
    return before == CheckResult::failed ? severity_of_change(of_failure, Severity::ok) : Severity::notice;
}

// What changed first; then failures, the worst on top, and what could not be told.
unsigned rank(const ReportCheck& check) {
    const unsigned result = check.after == "failed"          ? 0U
                            : check.after == "not evaluated" ? 20U
                            : check.after == "passed"        ? 40U
                                                             : 60U;
    return (check.changed ? 0U : 100U) + result + 10U - static_cast<unsigned>(check.severity);
}

void sort_checks(Report& report) {
    std::stable_sort(report.checks.begin(), report.checks.end(),
                     [](const ReportCheck& a, const ReportCheck& b) { return rank(a) < rank(b); });
}

} // namespace

std::string_view result_text(CheckResult result) {
    switch (result) {
    case CheckResult::passed:
        return "passed";
    case CheckResult::failed:
        return "failed";
    case CheckResult::not_evaluated:
        return "not evaluated";
    case CheckResult::not_applicable:
        return "not applicable";
    }
    return "not evaluated";
}

void compare_checks(const Comparison& comparison, Report& report) {
    const Side& before = comparison.before;
    const Side& after = comparison.after;
    std::map<std::string_view, CheckResult> earlier;
    for (const DecodedCheck& check : before.capture().decoded.checks) {
        earlier.emplace(before.map().text(before.map().checks[check.check].name), check.result);
    }
    for (const DecodedCheck& check : after.capture().decoded.checks) {
        const regmaps::Check& definition = after.map().checks[check.check];
        const auto found = earlier.find(after.map().text(definition.name));
        // With another map a check may be new: it says nothing about a change.
        const bool changed = found != earlier.end() && found->second != check.result;
        if (!changed && !comparison.options.all) {
            continue;
        }
        ReportCheck out = told(after, check);
        out.before = found == earlier.end() ? "" : result_text(found->second);
        out.changed = changed;
        if (changed) {
            out.severity = severity_of(found->second, check.result, definition.severity);
            note(report, out.severity, false);
        }
        report.checks.push_back(std::move(out));
    }
    sort_checks(report);
}

void describe_checks(const Side& side, Report& report) {
    for (const DecodedCheck& check : side.capture().decoded.checks) {
        report.checks.push_back(told(side, check));
        if (check.result == CheckResult::failed) {
            note(report, side.map().checks[check.check].severity, false);
        }
    }
    sort_checks(report);
}

} // namespace barscope::tool
