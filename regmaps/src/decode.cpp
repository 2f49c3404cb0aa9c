#include <regmaps/decode.h>

#include <algorithm>

#include "decode_bits.h"
#include "decode_fields.h"
#include "decode_values.h"

namespace barscope::regmaps {

namespace {

void decode_registers(const RegisterMap& map, const RawWords& raw, const PciIdentity& pci,
                      DecodeValues& values, Decoded& out) {
    const std::size_t count = std::min(raw.instances.size(), raw.words.size());
    std::size_t fields = 0;
    for (std::size_t i = 0; i < count; ++i) {
        fields +=
            safety::has_value(raw.words[i].status) ? map.registers[raw.instances[i].reg].fields.count : 0;
    }
    out.registers.reserve(count);
    out.fields.reserve(fields);
    DecodeScope scope(values);
    for (std::size_t i = 0; i < count; ++i) {
        const Register& reg = map.registers[raw.instances[i].reg];
        DecodedRegister decoded{
            raw.instances[i], raw.words[i], none, {static_cast<Index>(out.fields.size()), 0}};
        if (safety::has_value(decoded.word.status)) {
            const std::uint64_t value = decoded.word.value & low_mask(reg.width);
            decoded.enum_value = find_enum_value(map, reg.enumeration, value);
            scope.stand_in(raw.instances[i], value);
            append_register_fields(map, pci, reg, value, scope, out.fields);
            decoded.fields.count = static_cast<std::uint32_t>(out.fields.size()) - decoded.fields.begin;
        }
        out.registers.push_back(decoded);
    }
}

DecodedCheck decode_check(const RegisterMap& map, Index index, DecodeValues& values) {
    const Check& check = map.checks[index];
    DecodedCheck out;
    out.check = index;
    DecodeScope scope(values, &out.inputs);
    if (check.when != none) {
        const auto when = values.evaluate_here(check.when, scope);
        if (!when || *when == 0) {
            out.result = when ? CheckResult::not_applicable : CheckResult::not_evaluated;
            return out;
        }
    }
    if (const auto holds = values.evaluate_here(check.expect, scope)) {
        out.result = *holds != 0 ? CheckResult::passed : CheckResult::failed;
    }
    return out;
}

} // namespace

Decoded decode(const RegisterMap& map, const Layout& layout, const RawWords& raw, const PciIdentity& pci,
               const EarlierPass* before) {
    Decoded out;
    DecodeValues values(map, layout, raw, pci);
    std::optional<DecodeValues> earlier;
    if (before != nullptr) {
        values.set_before(&earlier.emplace(map, before->layout, before->raw, pci));
    }
    decode_registers(map, raw, pci, values, out);
    out.derived.reserve(map.derived.size());
    for (Index i = 0; i < map.derived.size(); ++i) {
        out.derived.push_back(values.derived(i));
        out.derived.back().derived = i;
    }
    out.checks.reserve(map.checks.size());
    for (Index i = 0; i < map.checks.size(); ++i) {
        out.checks.push_back(decode_check(map, i, values));
    }
    return out;
}

} // namespace barscope::regmaps
