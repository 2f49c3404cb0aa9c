// Match rules against a device, wherever the rules are: in a map, or in the catalogue's table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <regmaps/catalog.h>

namespace barscope::regmaps {

struct RuleTables {
    std::span<const MatchRule> rules;
    std::span<const MatchTerm> terms;
    std::span<const MatchValue> values;
};

// The specificity of the most specific rule that holds; nothing where none does.
std::optional<std::uint32_t> best_rule(const RuleTables& tables, const PciIdentity& id);

} // namespace barscope::regmaps
