// Everything that `info` tells about one device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <device/capabilities.h>
#include <device/discover.h>
#include <regmaps/catalog.h>
#include <safety/gate.h>

namespace barscope::tool {

// What sysfs says of the link; empty where it says nothing.
struct Link {
    std::string speed, width, max_speed, max_width;
};

// The same from the PCI Express capability (Link Capabilities, Link Status); 0 where it has none.
struct ConfigLink {
    unsigned speed = 0, width = 0, max_speed = 0, max_width = 0; // speed: 1 is 2.5 GT/s, 2 is 5 GT/s, ...
};

struct Examination {
    safety::DeviceFacts facts;
    std::string class_name, description;
    KernelNames names;
    std::string driver_version; // of the driver's module; empty where it tells none
    std::string numa_node, iommu_group;
    Link link;
    ConfigLink config_link;
    std::vector<Capability> capabilities;
    std::vector<safety::Verdict> verdicts; // the gate's, each BAR's, and whether the kernel lets it be mapped
    std::optional<regmaps::RegisterMap> map;
    std::optional<Error> map_error;
    bool specific = false;
};

// `map_name`: a map's name or file; empty: the best match. `ask_device`: false leaves out what takes a read
// of the device: verdicts, link and capabilities.
Examination examine(const safety::SystemRoot& root, safety::DeviceFacts facts,
                    const regmaps::Catalog& catalog, const std::string& map_name, bool allow_vfio,
                    bool ask_device = true);

// All verdicts on a device; `bars`: those whose mapping is tried (empty: every memory BAR).
std::vector<safety::Verdict> examine_access(const safety::SystemRoot& root, const safety::DeviceFacts& facts,
                                            const std::vector<unsigned>& bars, bool allow_vfio);

// "2.5 GT/s"; empty where the code is unknown.
std::string_view link_speed_name(unsigned code);

} // namespace barscope::tool
