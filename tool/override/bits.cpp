#include <override/bits.h>

namespace barscope::tool {

using regmaps::Access;
using regmaps::Index;
using regmaps::ModifiedWrite;
using regmaps::none;
using regmaps::Volatility;

bool one_acts(ModifiedWrite modified) {
    return modified == ModifiedWrite::one_to_clear || modified == ModifiedWrite::one_to_set ||
           modified == ModifiedWrite::one_to_toggle;
}

bool zero_acts(ModifiedWrite modified) {
    return modified == ModifiedWrite::zero_to_clear || modified == ModifiedWrite::zero_to_set ||
           modified == ModifiedWrite::zero_to_toggle;
}

bool any_write_acts(ModifiedWrite modified) {
    return modified == ModifiedWrite::clear || modified == ModifiedWrite::set ||
           modified == ModifiedWrite::modify;
}

bool runs_by_itself(Volatility volatility) {
    return volatility == Volatility::counter || volatility == Volatility::index ||
           volatility == Volatility::timestamp;
}

bool writable(Access access) {
    return access != Access::read_only;
}

std::uint64_t ones(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
}

std::uint64_t field_mask(const regmaps::Field& field) {
    return ones(field.msb - field.lsb + 1U) << field.lsb;
}

RegisterBits::RegisterBits(const regmaps::RegisterMap& map, const regmaps::Register& reg,
                           const FieldApplies& applies, Index meant)
    : width_(reg.width) {
    const bool has_fields = reg.fields.count != 0;
    for (unsigned bit = 0; bit < width_; ++bit) {
        roles_[bit] = {
            none, reg.access, reg.modified_write, reg.volatility, !has_fields && writable(reg.access), false};
    }
    for (Index field = reg.fields.begin; field < reg.fields.begin + reg.fields.count; ++field) {
        const std::optional<bool> holds = applies(field);
        if (field != meant && holds.value_or(true)) {
            cover(map, field, holds.has_value());
        }
    }
    if (meant != none) {
        const regmaps::Field& field = map.fields[meant];
        for (unsigned bit = field.lsb; bit <= field.msb; ++bit) {
            roles_[bit] = {};
            roles_[bit].field = none;
        }
        cover(map, meant, true);
    }
    for (unsigned bit = 0; reg.has_write_mask && bit < width_; ++bit) {
        roles_[bit].writable = roles_[bit].writable && (reg.write_mask >> bit & 1U) != 0;
    }
}

void RegisterBits::cover(const regmaps::RegisterMap& map, Index index, bool certain) {
    const regmaps::Field& field = map.fields[index];
    for (unsigned bit = field.lsb; bit <= field.msb && bit < width_; ++bit) {
        BitRole& role = roles_[bit];
        const bool first = role.field == none;
        const bool differs = !first && role.writable && writable(field.access) &&
                             (role.modified != field.modified_write || role.access != field.access);
        // A status that is read and a command that is written may share their bits: the writable one counts.
        if (first || !role.writable) {
            role.field = index;
            role.access = field.access;
            role.modified = field.modified_write;
            role.volatility = field.volatility;
            role.writable = writable(field.access);
        }
        role.unsure = role.unsure || differs || (!certain && writable(field.access));
    }
}

std::uint64_t RegisterBits::mask(const std::function<bool(const BitRole&)>& holds) const {
    std::uint64_t bits = 0;
    for (unsigned bit = 0; bit < width_; ++bit) {
        bits |= holds(roles_[bit]) ? std::uint64_t{1} << bit : 0;
    }
    return bits;
}

} // namespace barscope::tool
