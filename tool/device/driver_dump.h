// The driver's own register dump (ETHTOOL_GREGS) as a source of BAR words, where the map says how its bytes
// correspond and that taking it does not change the device.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <regmaps/layout.h>
#include <safety/access.h>
#include <safety/ethtool_dump.h>
#include <safety/gate.h>

namespace barscope::tool {

// What a map says about the driver's dump of one BAR.
enum class DumpOffer { none, side_effects, safe };
DumpOffer driver_dump_offer(const regmaps::RegisterMap& map, const regmaps::Layout& layout, unsigned bar,
                            const std::string& driver);

Result<std::unique_ptr<safety::WordSource>> open_driver_dump(const safety::SystemRoot& root,
                                                             const safety::DeviceFacts& facts,
                                                             const regmaps::RegisterMap& map,
                                                             const regmaps::Layout& layout, unsigned bar,
                                                             std::optional<bool> config_answers);

// The same from a dump that was taken already.
Result<std::unique_ptr<safety::WordSource>>
source_of_driver_dump(safety::EthtoolDump dump, const std::string& interface, const regmaps::RegisterMap& map,
                      const regmaps::Layout& layout, unsigned bar, std::optional<bool> config_answers);

} // namespace barscope::tool
