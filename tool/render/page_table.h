// A walk over page tables.
#pragma once

#include <capture/page_table.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_pages_text(Output& output, const Style& style, const regmaps::RegisterMap& map,
                       const PastedSet& set, const PageWalk& walk, bool full);
void render_pages_json(Output& output, const regmaps::RegisterMap& map, const PastedSet& set,
                       const PageWalk& walk);

} // namespace barscope::tool
