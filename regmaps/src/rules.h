// Rules that need the whole map: what a schema cannot say and no single part of the loader can see.
#pragma once

#include "loader_state.h"

namespace barscope::regmaps {

bool check_arrays(LoadState& state);   // counts and strides of 0, too many elements
bool check_places(LoadState& state);   // alignment, and registers outside of their space
bool check_overlaps(LoadState& state); // registers over the same bytes
bool check_cycles(LoadState& state);   // expressions that depend on themselves

} // namespace barscope::regmaps
