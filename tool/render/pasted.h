// The answer of `decode`.
#pragma once

#include <capture/pasted.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

struct PastedView {
    const RingOptions& ring;
    bool full = false;                  // every field of every entry, also where a table would do
    std::optional<std::uint64_t> entry; // only this one, in full: its index in the ring
    bool show_pointers = false;
};

void render_pasted_text(Output& output, const Style& style, const regmaps::RegisterMap& map,
                        const PastedSet& set, const PastedView& view);
void render_pasted_json(Output& output, const regmaps::RegisterMap& map, const PastedSet& set,
                        const PastedView& view);

} // namespace barscope::tool
