#pragma once

#include <chrono>

#include <safety/ethtool_dump.h>

#include "system.h"

namespace barscope::safety {

Result<EthtoolDump> read_ethtool_dump_with(System& system, const std::string& interface,
                                           bool side_effect_free);

// Whether the driver may be asked at all: the interface's name can be one, and the dump changes nothing.
Result<void> may_ask_for_dump(const std::string& interface, bool side_effect_free);

// The same, asked for in a child: a driver that is stuck holds its caller in the kernel, where no signal ends
// it.
Result<EthtoolDump> read_ethtool_dump_in_child(System& system, const std::string& interface,
                                               bool side_effect_free, std::chrono::milliseconds limit);

} // namespace barscope::safety
