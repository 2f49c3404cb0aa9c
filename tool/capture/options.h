// What the user asked of a capture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <regmaps/parameters.h>

namespace barscope::tool {

class Watch;

// Where BAR words come from. `automatic` is the BAR: nothing is fallen back on silently.
enum class SourceChoice { automatic, bar, ethtool };

struct CaptureOptions {
    std::vector<std::string> groups, spaces, blocks; // each empty: all; together: what is in every one
    SourceChoice source = SourceChoice::automatic;
    std::optional<std::uint64_t> base; // BAR offset of a binary dump file's first byte
    std::optional<unsigned> bar;       // that a dump file holds
    std::string config_dump;           // configuration space that goes with a dump file
    unsigned retries = 0;
    std::uint32_t max_rate = 0; // loads per second; 0: as fast as the device answers
    bool timing = true;
    std::string access_log;
    bool allow_vfio = false;
    std::vector<regmaps::Parameter> parameters; // values of the map that only the user knows
    std::uint32_t interval_ms = 2000;           // between the two passes of checks that compare
    bool decode = true;                         // false: the words alone, for an earlier pass
    bool remember_config = false;               // keep what the layout asked of configuration space
    std::optional<std::uint64_t> timeout_ns;    // for all that is done with the device
    std::string reading = "reading";            // what a pass is called where its progress is shown
    Watch* watch = nullptr;                     // who ends it early; null: nobody
    bool all = false;                           // also tell which registers the device does not have
};

} // namespace barscope::tool
