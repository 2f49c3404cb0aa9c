// Words in, meaning out. No I/O; the same code decodes a live device, a dump file and a pasted value.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <regmaps/layout.h>
#include <regmaps/model.h>

namespace barscope::regmaps {

struct DecodedField {
    std::uint64_t value = 0; // shifted down
    Index field = none;      // into RegisterMap::fields; none: bits that are set and that no field names here
    Index enum_value = none; // into RegisterMap::enum_values; none: no enum, or a value that it does not name
    std::uint32_t at = 0;    // structures: byte offset of the word
    std::uint8_t lsb = 0, msb = 0;
    Severity severity = Severity::unspecified;
};

struct DecodedRegister {
    Instance instance;
    safety::Word word; // status says whether value means anything
    Index enum_value = none;
    Range fields; // into Decoded::fields; empty unless has_value(word.status)
};

// What an expression looked at: "NAME", "NAME.FIELD", a derived value's or a counter's name, with the value.
using Inputs = std::vector<std::pair<std::string, std::optional<std::uint64_t>>>;

struct DecodedValue { // a derived value
    Index derived = none;
    std::optional<std::uint64_t> value; // nothing: an input was not read
    Index enum_value = none;
    bool applies = true; // `when` holds, or could not be decided
    Inputs inputs;       // where it applies and has no value
};

enum class CheckResult : std::uint8_t { passed, failed, not_evaluated, not_applicable };
struct DecodedCheck {
    Index check = none;
    CheckResult result = CheckResult::not_evaluated;
    Inputs inputs;
};

struct Decoded {
    std::vector<DecodedRegister> registers;
    std::vector<DecodedField> fields;
    std::vector<DecodedValue> derived;
    std::vector<DecodedCheck> checks;
};

// A word that was read, or why it was not; parallel arrays. Counters of the kernel are parallel to
// RegisterMap::counters, or empty where none was read.
struct RawWords {
    std::vector<Instance> instances;
    std::vector<safety::Word> words;
    std::vector<std::optional<std::uint64_t>> counters;
};

// An earlier pass over the same device, for expressions that compare with it.
struct EarlierPass {
    const Layout& layout;
    const RawWords& raw;
};

Decoded decode(const RegisterMap& map, const Layout& layout, const RawWords& raw, const PciIdentity& pci,
               const EarlierPass* before = nullptr);

// The fields of one register value, appended to `out`: named ones from the highest bit down, then each
// contiguous range of other bits in which one is set. A field whose `when` does not hold, or cannot be
// decided, does not name its bits: they are then shown like reserved ones, so that no set bit is lost and no
// meaning is invented. Without a decode pass only fields of the register itself, constants and nothing else
// can be known to a `when`.
void decode_fields(const RegisterMap& map, const Register& reg, std::uint64_t value,
                   std::vector<DecodedField>& out);

struct DecodedStructure {
    Index structure = none;   // after the variant was chosen
    std::vector<Index> chain; // outer structures first, each chosen from the one before
    // Of the innermost structure, in its order; then those of outer ones whose bits it does not name; then
    // 32-bit words' bits that are set and that nothing names (field none). A field of `bytes`: value is its
    // byte offset.
    std::vector<DecodedField> fields;
    std::optional<std::uint64_t> valid; // the valid or phase bit's value
    bool variant_unknown = false;       // the type value has no case
};
// `bytes` must be structure.size long.
Result<DecodedStructure> decode_structure(const RegisterMap& map, Index structure,
                                          std::span<const std::uint8_t> bytes);

// "0x0000002a", "42", "yes", "-16", "12.5 W": the value's own text without its enum name, in the field's
// `display` and with its unit. Hex has (bits + 3) / 4 digits. `bytes` are in memory order.
std::string field_text(const RegisterMap& map, const Field& field, std::uint64_t value);
void append_field_text(const RegisterMap& map, const Field& field, std::uint64_t value, std::string& out);
// A field of `bytes` of a structure, from the structure's bytes: "de ad be ef".
std::string field_text(const RegisterMap& map, const Field& field,
                       std::span<const std::uint8_t> structure_bytes);
// The same for a register as a whole, and for a derived value.
std::string register_text(const RegisterMap& map, const Register& reg, std::uint64_t value);
std::string derived_text(const RegisterMap& map, const Derived& derived, std::uint64_t value);

} // namespace barscope::regmaps
