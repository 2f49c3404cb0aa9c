// iproute2's rdma: the only way to the kernel's list of queues that needs no netlink code of our own.
#pragma once

#include <string>
#include <vector>

#include <device/child.h>
#include <safety/gate.h>

namespace barscope::tool {

struct RdmaOutput {
    std::string command; // as it was run
    std::string text;    // its JSON
};

// Runs `rdma -d -d -j [-r] resource show KIND ...` for one RDMA device. `raw` asks the firmware for each
// object's hardware context; without it the kernel answers from its own memory.
Result<RdmaOutput> run_rdma_show(const safety::SystemRoot& root, const std::string& kind,
                                 const std::string& device, bool raw, const ChildLimits& limits = {});

} // namespace barscope::tool
