// What the kernel and its tools told besides: driver counters, settings, tables; and the state of the link.
#pragma once

#include <evidence/evidence.h>

namespace barscope::tool {

// Counters into Report::counters, the rest into Report::context.
void compare_context(const Evidence& before, const Evidence& after, const CompareOptions& options,
                     Report& report);
// Everything that was told, of one.
void describe_context(const Evidence& one, Report& report);

} // namespace barscope::tool
