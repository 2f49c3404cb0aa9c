// The answers of `maps list`, `maps show` and `maps check`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <regmaps/catalog.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_map_list_text(Output& output, const Style& style,
                          const std::vector<regmaps::CatalogEntry>& entries);
void render_map_list_json(Output& output, const std::vector<regmaps::CatalogEntry>& entries,
                          const std::vector<Error>& broken);

// What is in a map: spaces, registers, structures, checks.
void render_map_text(Output& output, const Style& style, const regmaps::RegisterMap& map);

struct CheckedMap {
    std::string file;
    std::string name, version;
    std::string counts; // "12 registers, 48 fields, ..."
    std::optional<Error> error;
};
CheckedMap summary_of(const std::string& file, const regmaps::RegisterMap& map);
void render_checked_maps_text(Output& output, const Style& style, const std::vector<CheckedMap>& maps);
void render_checked_maps_json(Output& output, const std::vector<CheckedMap>& maps);

} // namespace barscope::tool
