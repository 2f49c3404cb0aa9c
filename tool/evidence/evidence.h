// What snapshots say: of one, of two compared by meaning, of one against many. docs/diff.md has the rules.
#pragma once

#include <span>
#include <vector>

#include <capture/capture.h>
#include <evidence/report.h>
#include <evidence/snapshot.h>
#include <fwlog/patterns.h>

namespace barscope::tool {

// A snapshot with its passes decoded, in their order; none where nothing could be read. Only the last one's
// decoded view is looked at, of the others the words.
struct Evidence {
    const Snapshot& snapshot;
    const regmaps::RegisterMap& map;
    std::vector<Capture> passes;
};

struct CompareOptions {
    bool all = false;  // what is noise is told too
    bool tree = false; // fill Report::tree
    // Known log messages; null: those built in.
    const fwlog::PatternSet* patterns = nullptr;
    // How many entries of a list are told one by one, the worst ones; the others are counted.
    std::size_t most_entries = 10'000;
};

Report describe(const Evidence& one, const CompareOptions& options);
Report compare(const Evidence& before, const Evidence& after, const CompareOptions& options);

// A value is a finding where it differs from what nearly all of the fleet have.
inline constexpr std::size_t smallest_fleet = 3;
// An error where the fleet is smaller.
Result<Report> compare_with_baseline(std::span<const Evidence> fleet, const Evidence& one,
                                     const CompareOptions& options);

// diff's exit status 1.
bool has_findings(const Report& report);

} // namespace barscope::tool
