// A simulated machine for `barscope demo`: files that look like a kernel's /sys, to be used with --root.
#pragma once

#include <string>

#include <safety/error.h>

namespace barscope::tool {

// The machine before and after its network card's firmware failed under load: the same counters, further on.
enum class DemoState { healthy, fault };

// Writes the machine into `dir`, which is created where it does not exist. A folder that holds anything but
// an earlier demo is refused; no symbolic link inside it is followed. On it: a BCM57508 network card
// (0000:3b:00.0, ens1f0np0, bnxt_re0) whose link came up at half its width, and an NVMe controller
// (0000:01:00.0, nvme0).
Result<void> write_demo_tree(const std::string& dir, DemoState state = DemoState::healthy);

} // namespace barscope::tool
