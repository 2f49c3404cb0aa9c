// Counting what a report tells, so that every part counts alike.
#pragma once

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <evidence/evidence.h>

namespace barscope::tool {

inline void note(Report& report, Severity severity, bool noise) {
    if (noise) {
        ++report.noise;
        return;
    }
    ++report.findings;
    report.worst = std::max(report.worst, severity);
}

// Lists that are too long for anyone are cut; the worst must come first. What is cut has been counted before.
template <typename T>
void cut_to_size(std::vector<T>& list, const CompareOptions& options, std::string_view what, Report& report) {
    if (list.size() <= options.most_entries) {
        return;
    }
    report.warnings.push_back(
        fmt::format("{} of {} {} are told one by one, the worst ones; the others are counted",
                    options.most_entries, list.size(), what));
    report.truncated = true;
    list.resize(options.most_entries);
}

} // namespace barscope::tool
