#include <render/pasted_parts.h>

#include <algorithm>

#include <capture/doorbell.h>
#include <capture/generation.h>
#include <render/digits.h>

namespace barscope::tool {

using regmaps::DecodedField;
using regmaps::none;
using regmaps::RegisterMap;

std::string bytes_text(const RegisterMap& map, const Pasted& entry, const Handles& handles) {
    std::vector<bool> hidden(entry.bytes.size());
    for (const DecodedField& field : entry.structure.fields) {
        if (handles.hides(map, entry.structure, field)) {
            const auto [first, end] = bytes_holding(map, field);
            for (std::size_t i = first; i < std::min(end, hidden.size()); ++i) {
                hidden[i] = true;
            }
        }
    }
    std::string text;
    for (std::size_t i = 0; i < entry.bytes.size(); ++i) {
        text += i == 0 ? "" : " ";
        if (hidden[i]) {
            text += "..";
        } else {
            append_hex_digits(text, entry.bytes[i], 2);
        }
    }
    return text;
}

bool is_bytes_field(const RegisterMap& map, const DecodedField& field) {
    return field.field != none && map.fields[field.field].bytes != 0;
}

std::vector<std::string> remarks_of(const RegisterMap& map, const PastedSet& set, const Pasted& entry,
                                    const PastedView& view) {
    if (set.definition.structure == none || set.definition.field != none) {
        return {};
    }
    auto remarks = doorbell_remarks(map, entry.structure.structure, entry.bytes, view.ring.size);
    if (remarks.empty()) {
        if (const auto foreign = wrong_generation(map, entry.structure, entry.bytes)) {
            remarks.push_back("wrong generation: " + *foreign);
        }
    }
    return remarks;
}

bool is_shown(const PastedView& view, std::size_t index) {
    return !view.entry || view.ring.first + index == *view.entry;
}

} // namespace barscope::tool
