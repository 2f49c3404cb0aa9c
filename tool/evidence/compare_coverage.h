// What was read in one snapshot only, and why not in the other.
#pragma once

#include <string>

#include <evidence/compare_fields.h>

namespace barscope::tool {

// Why a register of a pair has no value in BEFORE, or in AFTER.
std::string why_no_value(const Comparison& comparison, Pair pair, bool in_after);

// Into Report::coverage: registers in runs with one reason, then collectors and logs. What was read in
// neither is noise.
void compare_coverage(const Comparison& comparison, Report& report);

} // namespace barscope::tool
