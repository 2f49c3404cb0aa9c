// One field of a structure alone.
#pragma once

#include <optional>
#include <span>

#include <regmaps/decode.h>

namespace barscope::regmaps {

// Whether or not a variant says more of its bits. Nothing where the field lies outside of `bytes`, or is a
// field of bytes.
std::optional<DecodedField> decode_structure_field(const RegisterMap& map, Index field,
                                                   std::span<const std::uint8_t> bytes);

} // namespace barscope::regmaps
