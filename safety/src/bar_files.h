#pragma once

#include <string>

#include <safety/gate.h>

namespace barscope::safety {

// DIRECTORY/resourceN: uncached. Never resourceN_wc, whose loads may be combined and do not fail after an
// unplug.
std::string bar_file(const DeviceFacts& facts, unsigned bar);

} // namespace barscope::safety
