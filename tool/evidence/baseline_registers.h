// Registers of one snapshot against those of a fleet.
#pragma once

#include <vector>

#include <evidence/compare_fields.h>

namespace barscope::tool {

// `fleet`: each member (BEFORE) with the one (AFTER). Adds to Report::registers and coverage.
void compare_registers_with_fleet(const std::vector<Comparison>& fleet, Report& report);

} // namespace barscope::tool
