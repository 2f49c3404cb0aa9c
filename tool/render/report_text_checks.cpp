#include <render/report_text_checks.h>

#include <map>

#include <fmt/format.h>

#include <render/digits.h>
#include <render/escape.h>
#include <render/report_parts.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

Ink ink_of_result(const ReportCheck& check) {
    if (check.after == "failed") {
        return ink_of(check.severity);
    }
    return check.after == "passed" ? Ink::good : Ink::plain;
}

void append_label(std::string& out, std::string_view label, std::string_view text) {
    if (!text.empty()) {
        out += "    ";
        out += label;
        out += ':';
        pad(out, label.size() + 1, 10);
        append_wrapped(out, 14, text, true);
    }
}

void append_check(std::string& out, const Style& style, const ReportCheck& check, bool difference) {
    std::string result;
    if (difference && check.changed) {
        append_safe(result, or_none(check.before));
        result += " -> ";
    }
    append_safe(result, check.after);
    out += "  ";
    style.put(out, ink_of_result(check), result);
    pad(out, columns(result), 13, 2);
    append_safe(out, check.name);
    if (check.after == "failed" && check.severity != Severity::unspecified) {
        out += fmt::format("  [{}]", severity_word(check.severity));
    }
    out += '\n';
    if (check.after != "passed" || check.changed) {
        append_label(out, "found", check.found);
        append_label(out, "meaning", check.meaning);
        append_label(out, "advice", check.advice);
    }
}

} // namespace

void append_report_checks(std::string& out, const Style& style, const Report& report, bool all) {
    if (report.checks.empty()) {
        return;
    }
    out += '\n';
    style.put(out, Ink::heading, "checks");
    out += '\n';
    std::map<std::string_view, std::size_t> quiet;
    for (const ReportCheck& check : report.checks) {
        const bool unremarkable = check.after == "passed" || check.after == "not applicable";
        if (!all && unremarkable && !check.changed) {
            ++quiet[check.after == "passed" ? "passed" : "not applicable"];
        } else {
            append_check(out, style, check, report.difference);
        }
    }
    std::string rest;
    for (const char* word : {"passed", "not applicable"}) {
        if (quiet[word] != 0) {
            rest += fmt::format("{}{} {}", rest.empty() ? "  " : ", ", quiet[word], word);
        }
    }
    out += rest;
    out += rest.empty() ? "" : "\n";
}

} // namespace barscope::tool
