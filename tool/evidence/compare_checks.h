// The map's checks, evaluated anew from the words of both snapshots.
#pragma once

#include <evidence/compare_fields.h>

namespace barscope::tool {

// Those whose result changed, into Report::checks; with --all the others too.
void compare_checks(const Comparison& comparison, Report& report);
void describe_checks(const Side& side, Report& report);

// "failed", "not evaluated", ...
std::string_view result_text(regmaps::CheckResult result);

} // namespace barscope::tool
