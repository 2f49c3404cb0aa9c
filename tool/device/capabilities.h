// Configuration space's two lists of capabilities. A broken list (a loop, a pointer into nowhere) ends the
// walk.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <safety/config_space.h>

namespace barscope::tool {

struct Capability {
    std::uint16_t id = 0;
    std::uint32_t offset = 0;
    bool extended = false;
};

std::vector<Capability> walk_capabilities(safety::ConfigSpace& config);
// The name that the PCI specifications give it; empty where unknown.
// Offsets of those of one id, in list order.
std::vector<std::uint32_t> capability_offsets(safety::ConfigSpace& config, bool extended, std::uint16_t id);

std::string_view capability_name(bool extended, std::uint16_t id);

} // namespace barscope::tool
