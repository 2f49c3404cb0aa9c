// What was asked for a snapshot, and what it gave.
#pragma once

#include <evidence/side.h>

namespace barscope::tool {

void add_sources(const Side& side, Report& report);

} // namespace barscope::tool
