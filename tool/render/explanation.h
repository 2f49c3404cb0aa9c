// The answer of `explain`: what a register, a field or a structure means, from the map alone.
#pragma once

#include <capture/names.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_explanation_text(Output& output, const Style& style, const regmaps::RegisterMap& map,
                             const Definition& definition);
void render_explanation_json(Output& output, const regmaps::RegisterMap& map, const Definition& definition);

// "BAR 0", "extended capability 0x0001": where a space lies, in the map's own words.
std::string place_text(const regmaps::RegisterMap& map, const regmaps::Space& space);
// What the guard does with it: "read-only", "read-write, not read: reading does clear".
std::string access_text(const regmaps::Register& reg);
std::string expression_text(const regmaps::RegisterMap& map, regmaps::Index expression);

} // namespace barscope::tool
