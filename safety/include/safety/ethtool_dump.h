// The driver's own register dump: SIOCETHTOOL / ETHTOOL_GREGS. It may change the device: whether it does is
// the map's to say, so the caller must have asked the map first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <safety/error.h>
#include <safety/policy.h>

namespace barscope::safety {

struct EthtoolDump {
    std::string driver;        // from ETHTOOL_GDRVINFO
    std::uint32_t version = 0; // ethtool_regs.version: the driver's own layout number
    std::vector<std::uint8_t> bytes;
};

// `side_effect_free` is what the map claims of this driver's dump; false is refused without a call to the
// driver.
Result<EthtoolDump> read_ethtool_dump(ReadOnly, const std::string& interface, bool side_effect_free);

} // namespace barscope::safety
