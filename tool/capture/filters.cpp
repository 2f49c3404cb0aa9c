#include <capture/filters.h>

#include <algorithm>

#include <capture/names.h>
#include <device/number.h>
#include <regmaps/names.h>

namespace barscope::tool {

using regmaps::Index;
using regmaps::Layout;
using regmaps::none;
using regmaps::RegisterMap;

bool shares_text(const RegisterMap& map, regmaps::Range range, const std::vector<std::string>& wanted) {
    for (const regmaps::Text item : map.text_list.subspan(range.begin, range.count)) {
        if (std::find(wanted.begin(), wanted.end(), map.text(item)) != wanted.end()) {
            return true;
        }
    }
    return false;
}

Result<void> check_names(const char* kind, const std::vector<std::string>& wanted,
                         const std::vector<std::string_view>& known) {
    for (const std::string& name : wanted) {
        if (std::find(known.begin(), known.end(), name) != known.end()) {
            continue;
        }
        std::string remedy = regmaps::did_you_mean(name, known);
        if (remedy.empty()) {
            remedy = known.empty() ? std::string("the map has none") : std::string("the map has ");
            for (std::size_t i = 0; i < known.size() && i < 16; ++i) {
                remedy += i == 0 ? "" : ", ";
                remedy += known[i];
            }
        }
        return fail({.code = ErrorCode::usage,
                     .cause = "unknown-" + std::string(kind),
                     .what = "the map has no " + std::string(kind) + " of this name",
                     .where = name,
                     .remedy = std::move(remedy)});
    }
    return {};
}

std::vector<std::string_view> distinct(std::vector<std::string_view> names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

namespace {

std::vector<std::string_view> space_names(const RegisterMap& map) {
    std::vector<std::string_view> names;
    for (const regmaps::Space& space : map.spaces) {
        names.push_back(map.text(space.name));
    }
    return distinct(std::move(names));
}

std::vector<std::string> block_paths(const RegisterMap& map) {
    std::vector<std::string> paths;
    for (const regmaps::Block& block : map.blocks) {
        std::string path(map.text(block.name));
        for (Index parent = block.parent; parent != none; parent = map.blocks[parent].parent) {
            path.insert(0, ".").insert(0, map.text(map.blocks[parent].name));
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

// "QUEUE" and "QUEUE[2]" both hold QUEUE[2].HEAD.
bool lies_in_block(std::string_view instance, const std::vector<std::string>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const std::string& block) {
        return instance.size() > block.size() && instance.starts_with(block) &&
               (instance[block.size()] == '.' || instance[block.size()] == '[');
    });
}

// The elements that the device has of an array, where none of them is the one that was named. `stem` is what
// stands before the index.
std::optional<Error> no_such_element(const RegisterMap& map, const Layout& layout, std::string_view stem,
                                     const std::string& block) {
    std::uint64_t count = 0;
    std::string name;
    for (const regmaps::Instance& instance : layout.instances) {
        name.clear();
        regmaps::append_instance_name(map, instance, name);
        if (name.size() <= stem.size() || !name.starts_with(stem) || name[stem.size()] != '[') {
            continue;
        }
        const std::string_view rest = std::string_view(name).substr(stem.size() + 1);
        const std::optional<std::uint64_t> element = parse_number(rest.substr(0, rest.find(']')));
        count = std::max(count, element.value_or(0) + 1);
    }
    if (count == 0) {
        return std::nullopt; // the device has none of it at all, and the answer says why
    }
    return Error{.code = ErrorCode::usage,
                 .cause = "no-such-element",
                 .what = std::string(stem) + " has " + std::to_string(count) +
                         (count == 1 ? " element, number 0" : " elements, 0 to " + std::to_string(count - 1)),
                 .where = block,
                 .remedy = {}};
}

// "QUEUE[65]" where there are fewer.
Result<void> check_elements(const RegisterMap& map, const Layout& layout,
                            const std::vector<std::string>& blocks) {
    const auto is_there = [&](const std::vector<std::string>& element) {
        return std::any_of(layout.instances.begin(), layout.instances.end(),
                           [&](const regmaps::Instance& instance) {
                               return lies_in_block(regmaps::instance_name(map, instance), element);
                           });
    };
    for (const std::string& block : blocks) {
        // The first index that leads nowhere is the one to tell.
        for (std::size_t at = block.find('['); at != std::string::npos; at = block.find('[', at + 1)) {
            if (is_there({block.substr(0, block.find(']', at) + 1)})) {
                continue;
            }
            if (auto error = no_such_element(map, layout, std::string_view(block).substr(0, at), block)) {
                return fail(std::move(*error));
            }
            break;
        }
    }
    return {};
}

} // namespace

Result<void> check_filters(const RegisterMap& map, const Layout& layout, const CaptureOptions& options) {
    if (auto known = check_names("space", options.spaces, space_names(map)); !known) {
        return known;
    }
    // The instances themselves are told by within_filters(); here only a wrong name is to be found.
    if (auto found = regmaps::select_groups(map, layout, options.groups); !found) {
        return fail(std::move(found.error()));
    }
    std::vector<std::string> wanted;
    for (const std::string& block : options.blocks) {
        wanted.push_back(regmaps::without_indices(block));
    }
    const std::vector<std::string> paths = block_paths(map);
    if (auto known = check_names("block", wanted, std::vector<std::string_view>(paths.begin(), paths.end()));
        !known) {
        return known;
    }
    return check_elements(map, layout, options.blocks);
}

bool passes(const RegisterMap& map, const regmaps::Instance& instance, const CaptureOptions& options) {
    if (!within_filters(map, instance.reg, options)) {
        return false;
    }
    return options.blocks.empty() || lies_in_block(regmaps::instance_name(map, instance), options.blocks);
}

bool within_filters(const RegisterMap& map, Index reg, const CaptureOptions& options) {
    const regmaps::Register& definition = map.registers[reg];
    if (!options.spaces.empty()) {
        const std::string_view space = map.text(map.spaces[definition.space].name);
        if (std::find(options.spaces.begin(), options.spaces.end(), space) == options.spaces.end()) {
            return false;
        }
    }
    if (!options.groups.empty() && !shares_text(map, definition.groups, options.groups)) {
        return false;
    }
    if (options.blocks.empty()) {
        return true;
    }
    const std::string path = definition_name(map, reg);
    return std::any_of(options.blocks.begin(), options.blocks.end(), [&](const std::string& block) {
        return lies_in_block(path, {regmaps::without_indices(block)});
    });
}

} // namespace barscope::tool
