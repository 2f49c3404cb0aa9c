// Counters of one snapshot, and how fast they went within its passes.
#pragma once

#include <evidence/side.h>

namespace barscope::tool {

// Those that are not 0, into Report::counters.
void describe_counters(const Side& side, const CompareOptions& options, Report& report);

} // namespace barscope::tool
