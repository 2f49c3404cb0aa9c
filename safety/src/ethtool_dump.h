#pragma once

#include <safety/ethtool_dump.h>

#include "system.h"

namespace barscope::safety {

Result<EthtoolDump> read_ethtool_dump_with(System& system, const std::string& interface,
                                           bool side_effect_free);

} // namespace barscope::safety
