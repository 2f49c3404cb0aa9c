// The fields of a register in two captures, side by side, and what a change of one means.
#pragma once

#include <string>
#include <vector>

#include <evidence/elapsed.h>
#include <evidence/side.h>

namespace barscope::tool {

// Of `before` and `after` one may be null: the map does not name the bits so there. Both are: the register as
// a whole.
struct FieldPair {
    const regmaps::DecodedField* before = nullptr;
    const regmaps::DecodedField* after = nullptr;
    unsigned lsb = 0, msb = 0; // in AFTER, or in BEFORE where only that has it
    std::uint64_t before_value = 0, after_value = 0;
    regmaps::Severity before_severity = regmaps::Severity::unspecified;
    regmaps::Severity after_severity = regmaps::Severity::unspecified;
    regmaps::Volatility volatility = regmaps::Volatility::status;

    bool whole() const { return before == nullptr && after == nullptr; }
    bool changed() const { return before_value != after_value; }
    bool counts() const {
        return volatility == regmaps::Volatility::counter || volatility == regmaps::Volatility::index;
    }
};

// What is to be compared, and what is known about both as a whole.
struct Comparison {
    Comparison(const Evidence& first, const Evidence& second, const CompareOptions& wanted);

    Side before, after;
    bool same_map;
    std::vector<Pair> pairs;
    Boots boots;
    Elapsed elapsed;
    CompareOptions options;
};

// Both positions must have values. From the highest bit down, the register as a whole first.
void pair_fields(const Comparison& comparison, Pair pair, std::vector<FieldPair>& out);

struct Judgement {
    regmaps::Severity severity = regmaps::Severity::unspecified;
    bool noise = false;
    std::string_view remark; // why it is noise
};
// `moving`: bits that differ between the passes of either snapshot.
Judgement judge(const FieldPair& pair, std::uint64_t moving);
// A change from one severity to another.
regmaps::Severity severity_of_change(regmaps::Severity before, regmaps::Severity after);

} // namespace barscope::tool
