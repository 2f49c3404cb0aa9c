// In which order spaces are shown.
#pragma once

#include <vector>

#include <regmaps/layout.h>

namespace barscope::tool {

// Puts positions in `instances` in order of their spaces: that of the map, but those of BARs among themselves
// by BAR and place, so that a device's main registers come before windows and doorbells whatever map they
// are included from. Within a space nothing moves.
void order_by_space(const regmaps::RegisterMap& map, const regmaps::Layout& layout,
                    const std::vector<regmaps::Instance>& instances, std::vector<regmaps::Index>& positions);

} // namespace barscope::tool
