// A structure's field from the structure's bytes.
#pragma once

#include <optional>
#include <span>

#include <regmaps/model.h>

namespace barscope::regmaps {

// Nothing for a field of `bytes`, and where the word is not within `bytes`.
std::optional<std::uint64_t> structure_field_value(const Field& field, safety::ByteOrder order,
                                                   std::span<const std::uint8_t> bytes);

} // namespace barscope::regmaps
