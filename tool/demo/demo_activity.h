// What a simulated machine's kernel has counted and said, before and after the fault.
#pragma once

#include <demo/demo_tree.h>
#include <demo/tree_writer.h>

namespace barscope::tool {

// Below `folder` (of the network card, "sys/devices/...") and in /proc and /dev.
void write_demo_activity(TreeWriter& tree, const std::string& folder, DemoState state);

} // namespace barscope::tool
