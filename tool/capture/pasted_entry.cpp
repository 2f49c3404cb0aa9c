// One entry of what was pasted, decoded when it is shown.
#include <algorithm>

#include <capture/pasted.h>
#include <device/paste_bytes.h>

namespace barscope::tool {

namespace {

using regmaps::none;
using regmaps::RegisterMap;

regmaps::Index enum_value_of(const RegisterMap& map, const regmaps::Register& reg, std::uint64_t value) {
    if (reg.enumeration == none) {
        return none;
    }
    const regmaps::Range values = map.enums[reg.enumeration].values;
    for (regmaps::Index i = values.begin; i < values.begin + values.count; ++i) {
        if (map.enum_values[i].value == value) {
            return i;
        }
    }
    return none;
}

// As a read would judge a register's value, where there is no device to ask.
std::string_view suspicion(const RegisterMap& map, const regmaps::Register& reg, std::uint64_t value) {
    const auto poisons = map.poisons.subspan(reg.poison.begin, reg.poison.count);
    if (std::any_of(poisons.begin(), poisons.end(),
                    [&](const regmaps::Poison& poison) { return (value & poison.mask) == poison.value; })) {
        return safety::explain(safety::WordStatus::poison);
    }
    const bool ones = value == UINT64_MAX >> (64U - reg.width);
    return ones && reg.never_all_ones ? "all ones, which this register never holds: the device did not answer"
                                      : std::string_view();
}

} // namespace

Pasted pasted_entry(const RegisterMap& map, const PastedSet& set, std::size_t index) {
    Pasted entry;
    const std::uint64_t at = set.places[index];
    entry.offset = set.from_bytes ? at : index;
    entry.bytes = std::span(set.bytes).subspan(static_cast<std::size_t>(at), set.entry_size);
    if (set.definition.structure != none) {
        auto decoded = regmaps::decode_structure(map, set.definition.structure, entry.bytes);
        if (decoded) {
            entry.structure = std::move(*decoded);
            entry.fields = entry.structure.fields;
        }
    } else {
        const regmaps::Register& reg = map.registers[set.definition.reg];
        entry.value = value_of(entry.bytes, map.registers[set.definition.reg].order);
        entry.suspect = suspicion(map, reg, entry.value);
        entry.enum_value = enum_value_of(map, reg, entry.value);
        regmaps::decode_fields(map, reg, entry.value, entry.fields);
    }
    if (set.definition.field != none) {
        std::erase_if(entry.fields,
                      [&](const regmaps::DecodedField& f) { return f.field != set.definition.field; });
    }
    return entry;
}

} // namespace barscope::tool
