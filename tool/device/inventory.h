// Every PCI function of a machine: what it is, what drives it, which map fits, and whether the guard would
// let it be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <device/discover.h>
#include <regmaps/catalog.h>
#include <safety/gate.h>

namespace barscope::tool {

struct ListedDevice {
    safety::PciAddress address;
    std::optional<safety::DeviceFacts> facts; // nothing: its files could not be read; `reason` says why
    std::string class_name, description;      // from pci.ids; may be empty
    KernelNames names;
    std::string map, map_version; // empty: no map fits
    bool specific = false;        // the map names this device, rather than fitting every one
    std::optional<Error> reason;  // why it cannot be read; nothing: the guard has no objection
};

// In order of address. Maps and opens no BAR; the gate reads configuration space.
std::vector<ListedDevice> take_inventory(const safety::SystemRoot& root, const regmaps::Catalog& catalog);

// Set where the kernel is locked down far enough to refuse BAR mappings.
std::optional<Error> lockdown_refusal(const safety::SystemRoot& root);

// The BARs that a map's spaces lie in, as far as that is fixed in the map; ascending, each once.
std::vector<unsigned> fixed_bars(const regmaps::RegisterMap& map);

} // namespace barscope::tool
