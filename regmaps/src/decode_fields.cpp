#include "decode_fields.h"

#include <algorithm>
#include <bit>

#include "decode_bits.h"

namespace barscope::regmaps {

namespace {

Severity severity_of(const RegisterMap& map, const Field& field, Index enum_value, std::uint64_t value) {
    if (enum_value != none) {
        return map.enum_values[enum_value].severity;
    }
    for (const FieldSeverity& s :
         map.field_severities.subspan(field.severities.begin, field.severities.count)) {
        if (s.value == value) {
            return s.severity;
        }
    }
    return Severity::unspecified;
}

// A word without a device around it: only its own fields are known.
class LoneScope final : public Scope {
  public:
    LoneScope(const RegisterMap& map, std::uint64_t value) : Scope(map), value_(value) {}
    std::optional<std::uint64_t> register_value(Index, const Indices&) override { return {}; }
    std::optional<std::uint64_t> derived_value(Index) override { return {}; }
    std::optional<bool> space_present(Index) override { return {}; }
    std::optional<std::uint64_t> array_index(unsigned) override { return {}; }
    std::optional<std::uint64_t> own_field(Index field) override {
        if (passes_back() > 0) {
            return {};
        }
        return bit_slice(value_, map_.fields[field].lsb, map_.fields[field].msb);
    }

  private:
    std::uint64_t value_;
};

} // namespace

Index find_enum_value(const RegisterMap& map, Index enumeration, std::uint64_t value) {
    if (enumeration == none) {
        return none;
    }
    const Range range = map.enums[enumeration].values;
    const auto values = map.enum_values.subspan(range.begin, range.count);
    if (values.empty()) {
        return none;
    }
    // Most enums count up without gaps.
    const std::uint64_t guess = value - values.front().value;
    if (guess < values.size() && values[guess].value == value) {
        return range.begin + static_cast<Index>(guess);
    }
    const auto found = std::lower_bound(values.begin(), values.end(), value,
                                        [](const EnumValue& e, std::uint64_t v) { return e.value < v; });
    return found != values.end() && found->value == value
               ? range.begin + static_cast<Index>(found - values.begin())
               : none;
}

DecodedField make_field(const RegisterMap& map, Index field, std::uint64_t value) {
    const Field& f = map.fields[field];
    DecodedField out;
    out.value = value;
    out.field = field;
    out.at = f.at;
    out.lsb = f.lsb;
    out.msb = f.msb;
    if (f.enumeration != none || f.severities.count != 0) {
        out.enum_value = find_enum_value(map, f.enumeration, value);
        out.severity = severity_of(map, f, out.enum_value, value);
    }
    return out;
}

void append_unnamed(std::uint64_t value, std::uint64_t named, unsigned width, std::uint32_t at,
                    std::vector<DecodedField>& out) {
    std::uint64_t rest = low_mask(width) & ~named;
    while ((value & rest) != 0) {
        const auto msb = static_cast<unsigned>(63 - std::countl_zero(rest));
        const auto run = static_cast<unsigned>(std::countl_one(rest << (63 - msb)));
        const unsigned lsb = msb + 1 - run;
        const std::uint64_t range = bit_mask(lsb, msb);
        if ((value & range) != 0) {
            DecodedField field;
            field.value = bit_slice(value, lsb, msb);
            field.at = at;
            field.lsb = static_cast<std::uint8_t>(lsb);
            field.msb = static_cast<std::uint8_t>(msb);
            out.push_back(field);
        }
        rest &= ~range;
    }
}

void append_register_fields(const RegisterMap& map, const PciIdentity& pci, const Register& reg,
                            std::uint64_t value, Scope& scope, std::vector<DecodedField>& out) {
    if (reg.fields.count == 0) {
        return;
    }
    std::uint64_t named = 0;
    for (Index i = reg.fields.begin; i < reg.fields.begin + reg.fields.count; ++i) {
        const Field& f = map.fields[i];
        if (f.when != none && evaluate(map, pci, f.when, scope).value_or(0) == 0) {
            continue;
        }
        named |= bit_mask(f.lsb, f.msb);
        out.push_back(make_field(map, i, bit_slice(value, f.lsb, f.msb)));
    }
    append_unnamed(value, named, reg.width, 0, out);
}

void decode_fields(const RegisterMap& map, const Register& reg, std::uint64_t value,
                   std::vector<DecodedField>& out) {
    LoneScope scope(map, value);
    append_register_fields(map, {}, reg, value & low_mask(reg.width), scope, out);
}

} // namespace barscope::regmaps
