// Configuration space that notes what is read through it: beside a plan's words a layout asks for the lists
// of capabilities and for what decides where a space lies, and a snapshot must be able to answer that again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <safety/config_space.h>

namespace barscope::tool {

struct ConfigRead {
    std::uint32_t offset = 0;
    std::uint8_t width = 32; // bits
    std::optional<std::uint32_t> value;
};

// `reads` grows with every read.
std::shared_ptr<safety::ConfigSpace> remembering_config(std::shared_ptr<safety::ConfigSpace> config,
                                                        std::shared_ptr<std::vector<ConfigRead>> reads);

} // namespace barscope::tool
