// The entries of a ring: one row each, and what they say together.
#pragma once

#include <capture/handles.h>
#include <capture/pasted.h>
#include <render/json_writer.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_ring_table(Output& output, const Style& style, const regmaps::RegisterMap& map,
                       const PastedSet& set, const RingOptions& options, Handles& handles);
// Counts, where the toggle changes, the first error, how far the ends are apart.
void append_ring_summary(std::string& out, const Style& style, const regmaps::RegisterMap& map,
                         const PastedSet& set, const RingOptions& options);
// The member "ring".
void write_ring(JsonWriter& json, const PastedSet& set, const RingOptions& options);

} // namespace barscope::tool
