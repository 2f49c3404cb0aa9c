// The one to three lines that a tired engineer reads first.
#pragma once

#include <evidence/compare_fields.h>

namespace barscope::tool {

// The report must be complete otherwise.
void add_verdict(const Comparison& comparison, Report& report);
void add_verdict(const Side& side, Report& report);
void add_verdict_on_baseline(std::size_t fleet, Report& report);

} // namespace barscope::tool
