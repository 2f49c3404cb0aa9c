// Records in memory: completion entries, doorbell words, descriptors.
#include <algorithm>

#include <fmt/format.h>

#include <regmaps/structure_field.h>

#include "decode_bits.h"
#include "decode_fields.h"
#include "structure_bytes.h"

namespace barscope::regmaps {

std::optional<std::uint64_t> structure_field_value(const Field& field, safety::ByteOrder order,
                                                   std::span<const std::uint8_t> bytes) {
    const std::size_t size = field.width / 8;
    if (field.bytes != 0 || size == 0 || size > 8 || field.at > bytes.size() ||
        size > bytes.size() - field.at) {
        return {};
    }
    return bit_slice(load_word(bytes.subspan(field.at, size), order), field.lsb, field.msb);
}

namespace {

class StructureScope final : public Scope {
  public:
    StructureScope(const RegisterMap& map, std::span<const std::uint8_t> bytes) : Scope(map), bytes_(bytes) {}
    std::optional<std::uint64_t> register_value(Index, const Indices&) override { return {}; }
    std::optional<std::uint64_t> derived_value(Index) override { return {}; }
    std::optional<bool> space_present(Index) override { return {}; }
    std::optional<std::uint64_t> array_index(unsigned) override { return {}; }
    std::optional<std::uint64_t> own_field(Index field) override {
        if (passes_back() > 0) {
            return {};
        }
        const Field& f = map_.fields[field];
        return structure_field_value(f, map_.structures[f.owner].order, bytes_);
    }

  private:
    std::span<const std::uint8_t> bytes_;
};

Error malformed(const RegisterMap& map, std::string cause, std::string what, std::string remedy) {
    return {ErrorCode::bad_input, std::move(cause), std::move(what), std::string(map.origin),
            std::move(remedy)};
}

// The structure that the variants lead to; `out.chain` are those on the way.
Result<void> choose_variant(const RegisterMap& map, std::span<const std::uint8_t> bytes,
                            DecodedStructure& out) {
    for (;;) {
        const Structure& s = map.structures[out.structure];
        if (s.variant_on == none) {
            return {};
        }
        const auto type = structure_field_value(map.fields[s.variant_on], s.order, bytes);
        Index next = s.variant_default;
        for (const VariantCase& c : map.variant_cases.subspan(s.variant_cases.begin, s.variant_cases.count)) {
            if (type == c.value) {
                next = c.structure;
            }
        }
        if (!type || next == none) {
            out.variant_unknown = true;
            return {};
        }
        if (next == out.structure) {
            return {};
        }
        out.chain.push_back(out.structure);
        out.structure = next;
        const Structure& chosen = map.structures[next];
        if (std::find(out.chain.begin(), out.chain.end(), next) != out.chain.end()) {
            return fail(
                malformed(map, "variant-cycle",
                          fmt::format("the variants of structure {} lead back to it", map.text(chosen.name)),
                          "break the cycle in the map"));
        }
        if (chosen.size > s.size) {
            return fail(malformed(map, "variant-size",
                                  fmt::format("structure {} is {} bytes and its variant {} is {}",
                                              map.text(s.name), s.size, map.text(chosen.name), chosen.size),
                                  "a variant is not longer than what it is a variant of"));
        }
    }
}

// Which bits of the record have a name, as bytes in the record's own places.
class Coverage {
  public:
    explicit Coverage(std::size_t size) : named_(size, 0) {}

    // True where the field names a bit that none before it did.
    bool add(const Field& f, safety::ByteOrder order) {
        std::array<std::uint8_t, 8> word{};
        std::span<std::uint8_t> mask;
        std::size_t size = f.width / 8;
        if (f.bytes != 0) {
            size = f.bytes;
        } else {
            size = std::min<std::size_t>(size, word.size());
            mask = std::span(word).first(size);
            store_word(mask, order, bit_mask(f.lsb, f.msb));
        }
        bool fresh = false;
        for (std::size_t i = 0; i < size && f.at + i < named_.size(); ++i) {
            const std::uint8_t bits = mask.empty() ? 0xff : mask[i];
            fresh = fresh || (bits & ~named_[f.at + i]) != 0;
            named_[f.at + i] = static_cast<std::uint8_t>(named_[f.at + i] | bits);
        }
        return fresh;
    }

    void append_unnamed_bits(std::span<const std::uint8_t> bytes, safety::ByteOrder order,
                             std::vector<DecodedField>& out) const {
        for (std::size_t at = 0; at < bytes.size(); at += 4) {
            const std::size_t size = std::min<std::size_t>(4, bytes.size() - at);
            const std::span named(named_);
            append_unnamed(load_word(bytes.subspan(at, size), order),
                           load_word(named.subspan(at, size), order), static_cast<unsigned>(size * 8),
                           static_cast<std::uint32_t>(at), out);
        }
    }

  private:
    std::vector<std::uint8_t> named_;
};

// `outer`: a structure that led to the variant; only what the variant does not name is of interest.
void append_structure_fields(const RegisterMap& map, Index structure, bool outer,
                             std::span<const std::uint8_t> bytes, Coverage& coverage,
                             std::vector<DecodedField>& out) {
    const Structure& s = map.structures[structure];
    StructureScope scope(map, bytes);
    for (Index i = s.fields.begin; i < s.fields.begin + s.fields.count; ++i) {
        const Field& f = map.fields[i];
        if (f.when != none && evaluate(map, {}, f.when, scope).value_or(0) == 0) {
            continue;
        }
        const bool fresh = coverage.add(f, s.order);
        if (outer && !fresh) {
            continue;
        }
        if (f.bytes != 0) {
            DecodedField field;
            field.value = f.at;
            field.field = i;
            field.at = f.at;
            out.push_back(field);
        } else if (const auto value = structure_field_value(f, s.order, bytes)) {
            out.push_back(make_field(map, i, *value));
        }
    }
}

} // namespace

std::optional<DecodedField> decode_structure_field(const RegisterMap& map, Index field,
                                                   std::span<const std::uint8_t> bytes) {
    const Field& f = map.fields[field];
    const auto value = structure_field_value(f, map.structures[f.owner].order, bytes);
    return value ? std::optional(make_field(map, field, *value)) : std::nullopt;
}

Result<DecodedStructure> decode_structure(const RegisterMap& map, Index structure,
                                          std::span<const std::uint8_t> bytes) {
    const Structure& s = map.structures[structure];
    if (bytes.size() != s.size) {
        return fail(Error{
            ErrorCode::bad_input,
            "structure-size",
            fmt::format("structure {} is {} bytes long, not {}", map.text(s.name), s.size, bytes.size()),
            {},
            "give exactly the bytes of one record"});
    }
    DecodedStructure out;
    out.structure = structure;
    if (auto chosen = choose_variant(map, bytes, out); !chosen) {
        return fail(std::move(chosen.error()));
    }
    Coverage coverage(bytes.size());
    const auto take = [&](Index each, bool outer) {
        append_structure_fields(map, each, outer, bytes, coverage, out.fields);
        const Structure& of = map.structures[each];
        if (!out.valid && of.valid_field != none) {
            out.valid = structure_field_value(map.fields[of.valid_field], of.order, bytes);
        }
    };
    take(out.structure, false);
    std::for_each(out.chain.rbegin(), out.chain.rend(), [&](Index each) { take(each, true); });
    coverage.append_unnamed_bits(bytes, s.order, out.fields);
    return out;
}

} // namespace barscope::regmaps
