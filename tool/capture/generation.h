// What in a record belongs to another generation than that of the map, where a public source tells. It
// cannot be told of completions: no source says which chips write the types 8 to 13 ("v3").
#pragma once

#include <optional>
#include <span>
#include <string>

#include <regmaps/decode.h>

namespace barscope::tool {

std::optional<std::string> wrong_generation(const regmaps::RegisterMap& map,
                                            const regmaps::DecodedStructure& decoded,
                                            std::span<const std::uint8_t> bytes);

} // namespace barscope::tool
