// The answer of `decode`.
#pragma once

#include <capture/pasted.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_pasted_text(Output& output, const Style& style, const regmaps::RegisterMap& map,
                        const PastedSet& set);
void render_pasted_json(Output& output, const regmaps::RegisterMap& map, const PastedSet& set);

} // namespace barscope::tool
