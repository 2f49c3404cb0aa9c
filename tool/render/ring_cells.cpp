#include <render/ring_cells.h>

#include <algorithm>

#include <capture/work_request.h>

#include <regmaps/structure_field.h>
#include <render/digits.h>
#include <render/escape.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

std::string enum_text(const RegisterMap& map, const DecodedField& field) {
    std::string text;
    if (field.enum_value != none) {
        append_safe(text, map.text(map.enum_values[field.enum_value].name));
    } else {
        append_hex(text, field.value);
    }
    return text;
}

// "QP_EVENT QP_ERROR_NOTIFICATION": what each choice of a layout was made from.
std::string type_text(const RegisterMap& map, const Pasted& entry) {
    std::string text;
    std::vector<Index> chain = entry.structure.chain;
    chain.push_back(entry.structure.structure);
    for (const Index structure : chain) {
        const Index on = map.structures[structure].variant_on;
        if (on == none) {
            continue;
        }
        if (const auto type = regmaps::decode_structure_field(map, on, entry.bytes)) {
            text += text.empty() ? "" : " ";
            text += enum_text(map, *type);
        }
    }
    if (entry.structure.variant_unknown) {
        text += " (unknown)";
    }
    return text;
}

bool same_bits(const regmaps::Field& a, const regmaps::Field& b) {
    const unsigned first_a = a.at * 8U + a.lsb;
    const unsigned first_b = b.at * 8U + b.lsb;
    return first_a == first_b && a.msb - a.lsb == b.msb - b.lsb;
}

// Fields that have a column of their own.
bool has_column(const RegisterMap& map, const Pasted& entry, const regmaps::Field& field) {
    std::vector<Index> chain = entry.structure.chain;
    chain.push_back(entry.structure.structure);
    return std::any_of(chain.begin(), chain.end(), [&](Index i) {
        const regmaps::Structure& s = map.structures[i];
        return (s.variant_on != none && same_bits(map.fields[s.variant_on], field)) ||
               (s.valid_field != none && same_bits(map.fields[s.valid_field], field));
    });
}

bool is_zero(std::span<const std::uint8_t> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

void append_reserved(std::string& out, const DecodedField& field) {
    out += "reserved@";
    append_hex(out, field.at);
    out += '[';
    append_decimal(out, field.msb);
    if (field.msb != field.lsb) {
        out += ':';
        append_decimal(out, field.lsb);
    }
    out += "]=";
    append_hex(out, field.value);
}

class Details {
  public:
    Details(const RegisterMap& map, const Pasted& entry, Handles& handles)
        : map_(map), entry_(entry), handles_(handles) {}

    std::string text(const DecodedField* status) {
        for (const DecodedField& field : entry_.fields) {
            if (&field != status) {
                append(field);
            }
        }
        return std::move(out_);
    }

  private:
    void append(const DecodedField& field) {
        if (field.field == none) {
            gap();
            if (handles_.hides(map_, entry_.structure, field)) {
                out_ += "reserved=" + handles_.token(map_, field);
            } else {
                append_reserved(out_, field);
            }
            return;
        }
        const regmaps::Field& definition = map_.fields[field.field];
        if (has_column(map_, entry_, definition)) {
            return;
        }
        if (definition.bytes != 0) {
            append_bytes(definition);
            return;
        }
        // A zero is worth a place where it counts something.
        if (field.value == 0 && (definition.display != regmaps::Display::dec || field.enum_value != none)) {
            return;
        }
        gap();
        append_safe(out_, map_.text(definition.name));
        if (definition.display == regmaps::Display::boolean) {
            return;
        }
        out_ += '=';
        if (handles_.hides(map_, entry_.structure, field)) {
            out_ += handles_.token(map_, field);
        } else if (field.enum_value != none) {
            out_ += enum_text(map_, field);
        } else {
            regmaps::append_field_text(map_, definition, field.value, out_);
        }
    }

    void append_bytes(const regmaps::Field& definition) {
        if (!is_zero(entry_.bytes.subspan(definition.at, definition.bytes))) {
            gap();
            append_safe(out_, map_.text(definition.name));
            out_ += "=(";
            append_decimal(out_, definition.bytes);
            out_ += " bytes)";
        }
    }

    void gap() { out_ += out_.empty() ? "" : "  "; }

    const RegisterMap& map_;
    const Pasted& entry_;
    Handles& handles_;
    std::string out_;
};

Ink ink_of(EntryState state) {
    const bool quiet =
        state == EntryState::stale || state == EntryState::blank || state == EntryState::invalid;
    return quiet ? Ink::dim : Ink::plain;
}

// "SGE 0x00007f0000001000 256 bytes key 0x1200"
void append_element(std::string& out, const ScatterGather& element) {
    out += "SGE ";
    append_hex(out, element.address, 16);
    out += ' ';
    append_decimal(out, element.size);
    out += " bytes key ";
    append_hex(out, element.key);
}

} // namespace

const DecodedField* status_field(const RegisterMap& map, const Pasted& entry) {
    const auto found = std::find_if(entry.fields.begin(), entry.fields.end(), [&](const DecodedField& field) {
        return field.field != none && is_status(map, map.fields[field.field]);
    });
    return found == entry.fields.end() ? nullptr : &*found;
}

std::string status_text(const RegisterMap& map, const DecodedField& field) {
    std::string text = enum_text(map, field);
    if (field.enum_value == none) {
        return text + " (unknown)";
    }
    if (field.severity != regmaps::Severity::ok) {
        text += " (";
        append_hex(text, field.value);
        text += ')';
    }
    return text;
}

RingCells ring_cells(const RegisterMap& map, const PastedSet& set, const RingOptions& options,
                     std::size_t entry, Handles& handles) {
    const RingEntry& judged = set.ring.entries[entry];
    RingCells cells;
    append_decimal(cells.index, options.first + entry);
    if (set.from_bytes) {
        append_hex(cells.at, set.places[entry], 4);
    }
    cells.state = name(judged.state);
    cells.state_ink = ink_of(judged.state);
    if (judged.state == EntryState::blank) {
        return cells;
    }
    if (judged.second_half) {
        cells.type = "(second half)";
        return cells;
    }
    const Pasted decoded = pasted_entry(map, set, entry);
    cells.type = type_text(map, decoded);
    cells.type_ink = judged.unknown_type ? Ink::warning : Ink::plain;
    const DecodedField* status = status_field(map, decoded);
    if (status != nullptr) {
        cells.status = status_text(map, *status);
        cells.status_ink = status->enum_value == none ? Ink::warning : ink_of(status->severity);
    }
    cells.details = Details(map, decoded, handles).text(status);
    for (const ScatterGather& element : scatter_gather_of(map, set, decoded)) {
        cells.details += cells.details.empty() ? "" : "  ";
        append_element(cells.details, element);
    }
    return cells;
}

} // namespace barscope::tool
