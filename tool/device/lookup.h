// Where devices and maps are found.
#pragma once

#include <string>
#include <vector>

#include <regmaps/catalog.h>
#include <safety/gate.h>

namespace barscope::tool {

safety::SystemRoot system_root(const std::string& path); // empty: this machine

// Where maps are looked for besides the built-in ones, in rising priority.
std::vector<std::string> map_folders(const safety::SystemRoot& root);

// What maps are matched by.
regmaps::PciIdentity identity_of(const safety::DeviceFacts& facts);

// The map of this name, or file; with an empty name the one that fits best, if any does.
Result<std::optional<regmaps::RegisterMap>> find_map(const regmaps::Catalog& catalog, const std::string& name,
                                                     const regmaps::PciIdentity& id);

// The device that the user names; a dump file is none.
Result<safety::DeviceFacts> find_device(const safety::SystemRoot& root, const std::string& device);

} // namespace barscope::tool
