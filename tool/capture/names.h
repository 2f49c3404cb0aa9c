// Names of a map's definitions, as people type them.
#pragma once

#include <string>
#include <string_view>

#include <regmaps/catalog.h>
#include <regmaps/model.h>
#include <safety/error.h>

namespace barscope::tool {

// "BLOCK.NAME": the register's name without indices.
std::string definition_name(const regmaps::RegisterMap& map, regmaps::Index reg);

// What a name means in a map: a register or a structure, and one of its fields where NAME.FIELD was given.
struct Definition {
    regmaps::Index reg = regmaps::none;
    regmaps::Index structure = regmaps::none;
    regmaps::Index field = regmaps::none;
};
// Case counts only where it has to. Unknown: the closest names in the remedy.
Result<Definition> find_definition(const regmaps::RegisterMap& map, std::string_view name);

// "MAP:NAME" split at the last colon, so that a map may be a path.
struct MapAndName {
    std::string map, name;
};
Result<MapAndName> split_map_name(const std::string& text);

// What "MAP:NAME" means, with the map that it is in.
struct MapDefinition {
    regmaps::RegisterMap map;
    Definition definition;
};
Result<MapDefinition> look_up(const regmaps::Catalog& catalog, const std::string& text);

} // namespace barscope::tool
