// The member `map` of a snapshot: the map's files, so that a colleague who lacks them can decode again.
#pragma once

#include <string>

#include <evidence/snapshot.h>

namespace barscope::tool {

// `name_or_path`: as the catalogue found it.
Result<std::string> map_member(const regmaps::Catalog& catalog, const std::string& name_or_path,
                               const regmaps::RegisterMap& map,
                               const std::vector<regmaps::Parameter>& parameters);

// Fills the map's part of `snapshot` from the member's text, which must outlive it.
// `as_written`: its hash has shown that it is as map_member() made it.
Result<void> read_map_member(std::string_view text, bool as_written, Snapshot& snapshot);

} // namespace barscope::tool
