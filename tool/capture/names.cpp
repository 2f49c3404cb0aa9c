#include <capture/names.h>

#include <algorithm>
#include <vector>

#include <regmaps/names.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

bool same_folded(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

Index find_field(const RegisterMap& map, regmaps::Range fields, std::string_view name, bool folded) {
    for (Index i = fields.begin; i < fields.begin + fields.count; ++i) {
        const std::string_view candidate = map.text(map.fields[i].name);
        if (candidate == name || (folded && same_folded(candidate, name))) {
            return i;
        }
    }
    return none;
}

// All names of registers and structures with what they mean.
struct Named {
    std::string name;
    Definition definition;
    regmaps::Range fields;
};

std::vector<Named> all_names(const RegisterMap& map) {
    std::vector<Named> names;
    for (Index i = 0; i < map.registers.size(); ++i) {
        names.push_back({definition_name(map, i), {.reg = i}, map.registers[i].fields});
    }
    for (Index i = 0; i < map.structures.size(); ++i) {
        names.push_back(
            {std::string(map.text(map.structures[i].name)), {.structure = i}, map.structures[i].fields});
    }
    return names;
}

Definition find_exact(const RegisterMap& map, const std::vector<Named>& names, std::string_view wanted,
                      bool folded) {
    const std::size_t dot = wanted.rfind('.');
    for (const Named& named : names) {
        if (named.name == wanted || (folded && same_folded(named.name, wanted))) {
            return named.definition;
        }
    }
    if (dot == std::string_view::npos) {
        return {};
    }
    const std::string_view owner = wanted.substr(0, dot);
    for (const Named& named : names) {
        if (named.name != owner && !(folded && same_folded(named.name, owner))) {
            continue;
        }
        Definition definition = named.definition;
        definition.field = find_field(map, named.fields, wanted.substr(dot + 1), folded);
        if (definition.field != none) {
            return definition;
        }
    }
    return {};
}

// Fields of the register that was named rightly are the candidates where only the field is wrong.
std::string suggestion(const RegisterMap& map, const std::vector<Named>& names, std::string_view wanted) {
    std::vector<std::string> candidates;
    const std::string_view owner = wanted.substr(0, wanted.rfind('.'));
    for (const Named& named : names) {
        candidates.push_back(named.name);
        if (owner.size() == wanted.size() || !same_folded(named.name, owner)) {
            continue;
        }
        for (Index i = named.fields.begin; i < named.fields.begin + named.fields.count; ++i) {
            candidates.push_back(named.name + "." + std::string(map.text(map.fields[i].name)));
        }
    }
    const std::vector<std::string_view> views(candidates.begin(), candidates.end());
    std::string text = regmaps::did_you_mean(wanted, views);
    return text.empty() ? "`barscope maps show " + std::string(map.name) + "` lists the names" : text;
}

} // namespace

std::string definition_name(const RegisterMap& map, Index reg) {
    std::string name(map.text(map.registers[reg].name));
    for (Index block = map.registers[reg].block; block != none; block = map.blocks[block].parent) {
        name.insert(0, ".").insert(0, map.text(map.blocks[block].name));
    }
    return name;
}

Result<Definition> find_definition(const RegisterMap& map, std::string_view name) {
    const std::string wanted = regmaps::without_indices(name);
    const std::vector<Named> names = all_names(map);
    for (const bool folded : {false, true}) {
        const Definition found = find_exact(map, names, wanted, folded);
        if (found.reg != none || found.structure != none) {
            return found;
        }
    }
    return fail({.code = ErrorCode::usage,
                 .cause = "unknown-name",
                 .what = "map " + std::string(map.name) + " has no register or structure of this name",
                 .where = std::string(name),
                 .remedy = suggestion(map, names, wanted)});
}

Result<MapAndName> split_map_name(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
        return fail(
            {.code = ErrorCode::usage,
             .cause = "bad-arguments",
             .what = "this is not MAP:NAME",
             .where = text,
             .remedy =
                 "write the map's name or file, a colon and the register or structure, such as nvme:CAP"});
    }
    return MapAndName{text.substr(0, colon), text.substr(colon + 1)};
}

Result<MapDefinition> look_up(const regmaps::Catalog& catalog, const std::string& text) {
    const auto name = split_map_name(text);
    if (!name) {
        return fail(name.error());
    }
    auto map = catalog.find(name->map);
    if (!map) {
        return fail(std::move(map.error()));
    }
    auto definition = find_definition(*map, name->name);
    if (!definition) {
        return fail(std::move(definition.error()));
    }
    return MapDefinition{std::move(*map), *definition};
}

} // namespace barscope::tool
