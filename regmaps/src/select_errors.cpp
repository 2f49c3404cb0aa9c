#include "select_errors.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <regmaps/names.h>

namespace barscope::regmaps {

namespace {

std::string map_name(const RegisterMap& map) {
    return fmt::format("map {}", map.name);
}

std::string closest_or_list(const RegisterMap& map, std::string_view name,
                            const std::vector<std::string>& names) {
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    std::string close = did_you_mean(name, candidates);
    return close.empty() ? fmt::format("'barscope maps show {}' lists the names", map.name) : close;
}

std::vector<std::string> all_paths(const RegisterMap& map) {
    std::vector<std::string> out(map.registers.size());
    for (Index i = 0; i < map.registers.size(); ++i) {
        append_path(map, i, out[i]);
    }
    std::set<Index> seen;
    for (const Register& reg : map.registers) {
        if (reg.block != none && seen.insert(reg.block).second) {
            std::string path;
            append_path(map, static_cast<Index>(&reg - map.registers.data()), path);
            out.push_back(path.substr(0, path.rfind('.')));
        }
    }
    return out;
}

// "NAME.FIEDL" where NAME exists: the register's fields are the candidates.
std::optional<Error> unknown_field(const RegisterMap& map, std::string_view name) {
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos || is_glob(name.substr(0, dot))) {
        return {};
    }
    const std::string_view owner = name.substr(0, dot);
    auto registers = match_name(map, owner, Case::exact);
    if (registers.empty()) {
        registers = match_name(map, owner, Case::folded);
    }
    std::vector<std::string> names;
    for (const NameMatch& match : registers) {
        std::string path;
        append_path(map, match.reg, path);
        if (match.field != none || !same_name(path, without_indices(owner), Case::folded)) {
            continue; // a field, or what a block holds
        }
        const Range fields = map.registers[match.reg].fields;
        for (Index f = fields.begin; f < fields.begin + fields.count; ++f) {
            names.push_back(fmt::format("{}.{}", path, map.text(map.fields[f].name)));
        }
        Error error{ErrorCode::usage,
                    "unknown-field",
                    fmt::format("register {} has no field '{}'", path, name.substr(dot + 1)),
                    map_name(map),
                    {}};
        error.remedy =
            names.empty() ? "the register has no fields" : closest_or_list(map, without_indices(name), names);
        return error;
    }
    return {};
}

const Missing* missing_of(const Layout& layout, Index reg) {
    const auto found = std::find_if(layout.missing.begin(), layout.missing.end(),
                                    [&](const Missing& m) { return m.reg == reg; });
    return found == layout.missing.end() ? nullptr : &*found;
}

} // namespace

Error unknown_name(const RegisterMap& map, std::string_view name) {
    if (auto error = unknown_field(map, name)) {
        return std::move(*error);
    }
    return {ErrorCode::usage, "unknown-register", fmt::format("no register is called '{}'", name),
            map_name(map), closest_or_list(map, without_indices(name), all_paths(map))};
}

Error no_instance(const RegisterMap& map, const Layout& layout, std::string_view name,
                  const std::vector<NameMatch>& matches) {
    const Index reg = matches.front().reg;
    const auto elements = std::count_if(layout.instances.begin(), layout.instances.end(),
                                        [&](const Instance& i) { return i.reg == reg; });
    if (elements != 0) {
        const auto last = std::find_if(layout.instances.rbegin(), layout.instances.rend(),
                                       [&](const Instance& i) { return i.reg == reg; });
        return {ErrorCode::usage, "no-such-element", fmt::format("'{}' is beyond its array", name),
                map_name(map),
                fmt::format("{} elements exist here; the last is {}", elements, instance_name(map, *last))};
    }
    const Missing* missing = missing_of(layout, reg);
    const bool unknown = missing != nullptr && missing->unknown;
    const std::string_view why = missing == nullptr ? "it has no place" : missing->why;
    const std::string what =
        unknown ? fmt::format("whether '{}' exists on this device is not known: {}", name, why)
                : fmt::format("'{}' does not exist on this device: {}", name, why);
    return {ErrorCode::absent, unknown ? "register-unknown" : "register-absent", what, map_name(map),
            "'dump --all' lists what this device does not have, with why"};
}

Error unknown_group(const RegisterMap& map, std::string_view group) {
    std::set<std::string_view> groups;
    const auto add = [&](Range range) {
        for (const Text t : map.text_list.subspan(range.begin, range.count)) {
            groups.insert(map.text(t));
        }
    };
    for (const Register& reg : map.registers) {
        add(reg.groups);
    }
    for (const Block& block : map.blocks) {
        add(block.groups);
    }
    return {
        ErrorCode::usage, "unknown-group", fmt::format("no register is in group '{}'", group), map_name(map),
        groups.empty() ? "the map has no groups" : fmt::format("its groups are {}", fmt::join(groups, ", "))};
}

Error group_without_instance(const RegisterMap& map, const Layout& layout, std::string_view group,
                             const std::vector<bool>& members) {
    std::string_view why = "none of its registers has a place";
    for (const Missing& missing : layout.missing) {
        if (members[missing.reg]) {
            why = missing.why;
            break;
        }
    }
    return {ErrorCode::absent, "group-absent",
            fmt::format("group '{}' has no register on this device: {}", group, why), map_name(map),
            "'dump --all' lists what this device does not have, with why"};
}

} // namespace barscope::regmaps
