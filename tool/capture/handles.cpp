#include <capture/handles.h>

#include <algorithm>
#include <vector>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

constexpr unsigned deepest_variant = 8;

struct BitRange { // of the record's bits, both ends included
    std::uint64_t first = 0, last = 0;
};

// Of its whole word where that is big endian: which of its bytes hold the bits is then no matter.
BitRange place_of(const RegisterMap& map, const regmaps::Field& field) {
    const std::uint64_t begin = std::uint64_t{field.at} * 8;
    if (field.bytes != 0) {
        return {begin, begin + field.bytes * std::uint64_t{8} - 1};
    }
    if (map.structures[field.owner].order == safety::ByteOrder::big) {
        return {begin, begin + field.width - 1U};
    }
    return {begin + field.lsb, begin + field.msb};
}

BitRange bits_of(const RegisterMap& map, const regmaps::DecodedField& field) {
    const std::uint64_t begin = std::uint64_t{field.at} * 8;
    return field.field == none ? BitRange{begin, begin + 31} : place_of(map, map.fields[field.field]);
}

// Where the structure, and where `variants` one of its variants, has a sensitive field.
void collect(const RegisterMap& map, Index structure, unsigned variants, std::vector<BitRange>& out) {
    const regmaps::Structure& s = map.structures[structure];
    for (const regmaps::Field& field : map.fields.subspan(s.fields.begin, s.fields.count)) {
        if (field.sensitive != regmaps::Sensitive::no) {
            out.push_back(place_of(map, field));
        }
    }
    if (variants == 0) {
        return;
    }
    for (const regmaps::VariantCase& each :
         map.variant_cases.subspan(s.variant_cases.begin, s.variant_cases.count)) {
        collect(map, each.structure, variants - 1, out);
    }
}

// In this entry, whichever of its readings names it.
std::vector<BitRange> pointers_in(const RegisterMap& map, const regmaps::DecodedStructure& entry) {
    std::vector<BitRange> ranges;
    collect(map, entry.structure, entry.variant_unknown ? deepest_variant : 0, ranges);
    for (const Index outer : entry.chain) {
        collect(map, outer, 0, ranges);
    }
    return ranges;
}

} // namespace

bool Handles::hides(const RegisterMap& map, const regmaps::DecodedStructure& entry,
                    const regmaps::DecodedField& field) const {
    const bool is_bytes = field.field != none && map.fields[field.field].bytes != 0; // without a value
    if (shown_ || entry.structure == none || (field.value == 0 && !is_bytes)) {
        return false;
    }
    const BitRange bits = bits_of(map, field);
    const std::vector<BitRange> pointers = pointers_in(map, entry);
    return std::any_of(pointers.begin(), pointers.end(), [&](const BitRange& pointer) {
        return pointer.first <= bits.last && bits.first <= pointer.last;
    });
}

std::pair<std::size_t, std::size_t> bytes_holding(const RegisterMap& map,
                                                  const regmaps::DecodedField& field) {
    const BitRange bits = bits_of(map, field);
    return {static_cast<std::size_t>(bits.first / 8), static_cast<std::size_t>(bits.last / 8 + 1)};
}

std::string Handles::token(const RegisterMap& map, const regmaps::DecodedField& field) {
    std::pair<std::string, std::uint64_t> key(field.field == none ? std::string_view("reserved")
                                                                  : map.text(map.fields[field.field].name),
                                              field.value);
    const auto [found, added] = numbers_.try_emplace(std::move(key), numbers_.size() + 1);
    return "#" + std::to_string(found->second);
}

} // namespace barscope::tool
