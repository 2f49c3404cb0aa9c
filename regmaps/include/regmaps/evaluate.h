// An expression of a map, from what was read in a pass.
#pragma once

#include <cstdint>
#include <optional>

#include <regmaps/decode.h>

namespace barscope::regmaps {

// `expression`: into RegisterMap::expressions. Nothing where something that it depends on was not read.
std::optional<std::uint64_t> evaluate(const RegisterMap& map, const Layout& layout, const RawWords& raw,
                                      const PciIdentity& pci, Index expression);

} // namespace barscope::regmaps
