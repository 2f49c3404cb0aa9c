// What the driver's own segments of a core dump are.
#pragma once

#include <cstdint>
#include <string_view>

namespace barscope::fwlog {

// Empty where nothing public names it.
std::string_view segment_name(std::uint32_t component, std::uint32_t id);

} // namespace barscope::fwlog
