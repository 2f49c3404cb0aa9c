// The cells of a ring's table: what an entry is, how it ended, and what else is worth a glance.
#pragma once

#include <array>
#include <string>

#include <capture/handles.h>
#include <capture/pasted.h>
#include <render/style.h>

namespace barscope::tool {

struct RingCells {
    std::string index, at, state, type, status, details;
    Ink state_ink = Ink::plain, type_ink = Ink::plain, status_ink = Ink::plain;
};

RingCells ring_cells(const regmaps::RegisterMap& map, const PastedSet& set, const RingOptions& options,
                     std::size_t entry, Handles& handles);
// "TRANSPORT_RETRY_CNT_ERR (0xa)"; a number alone where the map has no name, and says so.
std::string status_text(const regmaps::RegisterMap& map, const regmaps::DecodedField& field);
// The field that tells the outcome; null: none does.
const regmaps::DecodedField* status_field(const regmaps::RegisterMap& map, const Pasted& entry);

} // namespace barscope::tool
