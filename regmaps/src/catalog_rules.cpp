#include "catalog_rules.h"

#include <algorithm>

namespace barscope::regmaps {

namespace {

std::uint32_t property(MatchKey key, const PciIdentity& id) {
    switch (key) {
    case MatchKey::vendor:
        return id.vendor;
    case MatchKey::device:
        return id.device;
    case MatchKey::subsystem_vendor:
        return id.subsystem_vendor;
    case MatchKey::subsystem_device:
        return id.subsystem_device;
    case MatchKey::class_code:
        return id.class_code;
    case MatchKey::revision:
        return id.revision;
    }
    return 0;
}

bool holds(const RuleTables& tables, const MatchTerm& term, const PciIdentity& id) {
    const std::uint32_t value = property(term.key, id);
    const auto values = tables.values.subspan(term.values.begin, term.values.count);
    return std::any_of(values.begin(), values.end(),
                       [value](const MatchValue& wanted) { return (value & wanted.mask) == wanted.value; });
}

} // namespace

std::optional<std::uint32_t> best_rule(const RuleTables& tables, const PciIdentity& id) {
    std::optional<std::uint32_t> best;
    for (const MatchRule& rule : tables.rules) {
        const auto terms = tables.terms.subspan(rule.terms.begin, rule.terms.count);
        const bool all = std::all_of(terms.begin(), terms.end(),
                                     [&](const MatchTerm& term) { return holds(tables, term, id); });
        if (all && (!best || rule.specificity > *best)) {
            best = rule.specificity;
        }
    }
    return best;
}

std::optional<std::uint32_t> match_specificity(const RegisterMap& map, const PciIdentity& id) {
    return best_rule({map.match_rules, map.match_terms, map.match_values}, id);
}

} // namespace barscope::regmaps
