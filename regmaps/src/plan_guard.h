// What the whole map says about a source, whichever of its registers are wanted: sentinels, poison, forbidden
// bytes.
#pragma once

#include <regmaps/layout.h>

namespace barscope::regmaps {

// ok: one load of the declared width is within the space, legal there, and changes nothing.
safety::WordStatus loadable(const RegisterMap& map, const Layout& layout, const Instance& instance);

// Fills everything of read.plan but its words.
void guard_plan(const RegisterMap& map, const Layout& layout, PlannedRead& read);

} // namespace barscope::regmaps
