#include <regmaps/parameters.h>

#include <algorithm>

#include <fmt/format.h>

#include <regmaps/names.h>

namespace barscope::regmaps {

namespace {

// The tables that change; the others stay where they are.
struct Changed {
    std::shared_ptr<const void> rest;
    std::vector<Derived> derived;
    std::vector<Expression> expressions;
    std::vector<Code> codes;
};

Error unknown_parameter(const RegisterMap& map, const std::string& name) {
    std::vector<std::string_view> names;
    std::string list;
    for (const Derived& derived : map.derived) {
        if (derived.parameter) {
            names.push_back(map.text(derived.name));
            list += (list.empty() ? "" : ", ") + std::string(names.back());
        }
    }
    std::string remedy = did_you_mean(name, names);
    if (remedy.empty()) {
        remedy = list.empty() ? "the map has no parameters" : "the map has " + list;
    }
    return {ErrorCode::usage, "unknown-parameter", fmt::format("map {} has no such parameter", map.name),
            name, std::move(remedy)};
}

} // namespace

Result<RegisterMap> with_parameters(const RegisterMap& map, const std::vector<Parameter>& parameters) {
    if (parameters.empty()) {
        return map;
    }
    auto changed = std::make_shared<Changed>();
    changed->rest = map.owner;
    changed->derived.assign(map.derived.begin(), map.derived.end());
    changed->expressions.assign(map.expressions.begin(), map.expressions.end());
    changed->codes.assign(map.codes.begin(), map.codes.end());
    for (const Parameter& parameter : parameters) {
        const auto found =
            std::find_if(changed->derived.begin(), changed->derived.end(), [&](const Derived& derived) {
                return derived.parameter && map.text(derived.name) == parameter.name;
            });
        if (found == changed->derived.end()) {
            return fail(unknown_parameter(map, parameter.name));
        }
        found->value = static_cast<Index>(changed->expressions.size());
        changed->expressions.push_back({{static_cast<Index>(changed->codes.size()), 1}, {}});
        changed->codes.push_back({parameter.value, 0, Op::push, 0});
    }
    RegisterMap out = map;
    out.derived = changed->derived;
    out.expressions = changed->expressions;
    out.codes = changed->codes;
    out.owner = std::move(changed);
    return out;
}

} // namespace barscope::regmaps
