// What the text and the document of pasted values share.
#pragma once

#include <string>
#include <vector>

#include <capture/handles.h>
#include <render/pasted.h>

namespace barscope::tool {

// Bytes of handles that are not to be shown are "..".
std::string bytes_text(const regmaps::RegisterMap& map, const Pasted& entry, const Handles& handles);
bool is_bytes_field(const regmaps::RegisterMap& map, const regmaps::DecodedField& field);
// What is to be said of a doorbell, and of what belongs to another generation.
std::vector<std::string> remarks_of(const regmaps::RegisterMap& map, const PastedSet& set,
                                    const Pasted& entry, const PastedView& view);
bool is_shown(const PastedView& view, std::size_t index);

} // namespace barscope::tool
