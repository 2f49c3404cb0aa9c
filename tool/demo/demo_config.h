// Configuration space of the simulated devices. Layout: PCI Local Bus Specification 3.0 chapter 6, PCI
// Express Base Specification 4.0 chapter 7. Values are those of a healthy device but for what a comment
// points out.
#pragma once

#include <array>
#include <cstdint>

namespace barscope::tool {

using ConfigImage = std::array<std::uint8_t, 4096>;

// BCM57508, three 64-bit BARs (demo_devices.cpp has the same addresses in `resource`). Its link runs at x8 of
// x16 and the AER capability has logged correctable errors, so that checks find something.
ConfigImage demo_nic_config();
ConfigImage demo_nvme_config();

} // namespace barscope::tool
