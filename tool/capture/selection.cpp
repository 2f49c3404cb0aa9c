#include <capture/selection.h>

#include <algorithm>

#include <capture/names.h>
#include <capture/references.h>
#include <device/number.h>
#include <regmaps/names.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::Layout;
using regmaps::none;
using regmaps::RegisterMap;

// An offset instead of a name: "bar0+0x10", "config+4", "0x10".
bool is_raw_access(std::string_view pattern) {
    std::string_view rest = pattern;
    if (rest.size() > 4 && (rest.starts_with("bar") || rest.starts_with("BAR")) && rest[3] >= '0' &&
        rest[3] <= '9') {
        rest.remove_prefix(4);
        return rest.empty() || rest[0] == '+' || rest[0] == ':';
    }
    return rest.starts_with("config+") || parse_number(rest).has_value();
}

Error raw_access(const std::string& pattern) {
    return {.code = ErrorCode::refused,
            .cause = "raw-access",
            .what = "an offset that no map declares is not read",
            .where = pattern,
            .remedy = "name a register; raw access needs lab override, which this version does not have"};
}

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
        wanted.push_back(without_indices(block));
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

// Marks what one pattern stands for. `wanted`: 0 no, 1 by a glob, 2 by name.
class Marks {
  public:
    explicit Marks(const Layout& layout)
        : wanted_(layout.instances.size()), whole_(layout.instances.size()) {}

    void add(const std::vector<regmaps::Selected>& chosen, bool by_name) {
        for (const regmaps::Selected& one : chosen) {
            std::uint8_t& mark = wanted_[one.instance];
            mark = std::max<std::uint8_t>(mark, by_name ? 2 : 1);
            if (one.field == none) {
                whole_[one.instance] = true;
            } else {
                fields_.emplace_back(one.instance, one.field);
            }
        }
    }

    Selection take(const RegisterMap& map, const Layout& layout, const CaptureOptions& options) {
        Selection selection;
        for (Index i = 0; i < wanted_.size(); ++i) {
            if (wanted_[i] != 0 && passes(map, layout.instances[i], options)) {
                selection.instances.push_back(i);
                selection.named.push_back(wanted_[i] == 2);
            }
        }
        for (const auto& field : fields_) {
            if (!whole_[field.first]) {
                selection.fields.push_back(field);
            }
        }
        selection.held.resize(selection.instances.size());
        std::sort(selection.fields.begin(), selection.fields.end());
        return selection;
    }

  private:
    std::vector<std::uint8_t> wanted_;
    std::vector<bool> whole_;
    std::vector<std::pair<Index, Index>> fields_;
};

Selection everything(const RegisterMap& map, const Layout& layout, const CaptureOptions& options) {
    Selection selection;
    const bool filtered = !options.groups.empty() || !options.spaces.empty() || !options.blocks.empty();
    selection.instances.reserve(layout.instances.size());
    for (Index i = 0; i < layout.instances.size(); ++i) {
        if (!filtered || passes(map, layout.instances[i], options)) {
            selection.instances.push_back(i);
        }
    }
    selection.named.resize(selection.instances.size());
    const bool asked_for = !options.groups.empty() || !options.blocks.empty();
    for (const Index i : selection.instances) {
        selection.held.push_back(!asked_for && map.registers[layout.instances[i].reg].on_request);
    }
    selection.whole = true;
    return selection;
}

} // namespace

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
        return lies_in_block(path, {without_indices(block)});
    });
}

regmaps::Wanted wanted_registers(const RegisterMap& map, const std::vector<std::string>& patterns,
                                 const CaptureOptions& options) {
    regmaps::Wanted wanted;
    const bool filtered = !options.groups.empty() || !options.spaces.empty() || !options.blocks.empty();
    if (patterns.empty() && !filtered) {
        return wanted;
    }
    wanted.registers = regmaps::registers_meant(map, patterns);
    for (Index reg = 0; filtered && reg < map.registers.size(); ++reg) {
        wanted.registers[reg] = wanted.registers[reg] || within_filters(map, reg, options);
    }
    return wanted;
}

Result<Selection> select_registers(const RegisterMap& map, const Layout& layout,
                                   const std::vector<std::string>& patterns, const CaptureOptions& options) {
    if (auto known = check_filters(map, layout, options); !known) {
        return fail(std::move(known.error()));
    }
    if (patterns.empty()) {
        return everything(map, layout, options);
    }
    Marks marks(layout);
    for (const std::string& pattern : patterns) {
        auto chosen = regmaps::select(map, layout, {pattern});
        if (!chosen) {
            return fail(is_raw_access(pattern) ? raw_access(pattern) : std::move(chosen.error()));
        }
        marks.add(*chosen, !regmaps::is_glob(pattern));
    }
    Selection selection = marks.take(map, layout, options);
    if (selection.instances.empty()) {
        return fail({.code = ErrorCode::usage,
                     .cause = "nothing-selected",
                     .what = "no register is both named and within --group, --space and --block",
                     .where = {},
                     .remedy = "leave one of them out"});
    }
    return selection;
}

Result<std::vector<Index>> checks_in_groups(const RegisterMap& map, const std::vector<std::string>& groups) {
    std::vector<std::string_view> known;
    for (const regmaps::Check& check : map.checks) {
        for (const regmaps::Text group : map.text_list.subspan(check.groups.begin, check.groups.count)) {
            known.push_back(map.text(group));
        }
    }
    if (auto found = check_names("group", groups, distinct(std::move(known))); !found) {
        return fail(std::move(found.error()));
    }
    std::vector<Index> checks;
    for (Index i = 0; i < map.checks.size(); ++i) {
        if (groups.empty() || shares_text(map, map.checks[i].groups, groups)) {
            checks.push_back(i);
        }
    }
    return checks;
}

std::vector<bool> checks_that_compare(const RegisterMap& map) {
    Comparisons comparisons(map);
    std::vector<bool> compare;
    for (const regmaps::Check& check : map.checks) {
        compare.push_back(comparisons.in(check.expect) || comparisons.in(check.when));
    }
    return compare;
}

regmaps::Wanted wanted_by_checks(const RegisterMap& map, const std::vector<Index>& checks) {
    References references(map);
    for (const Index check : checks) {
        references.visit(map.checks[check].expect);
        references.visit(map.checks[check].when);
    }
    return {references.registers(), references.spaces(), references.counters()};
}

Result<Selection> select_for_checks(const RegisterMap& map, const Layout& layout,
                                    const CaptureOptions& options) {
    auto checks = checks_in_groups(map, options.groups);
    if (!checks) {
        return fail(std::move(checks.error()));
    }
    const regmaps::Wanted wanted = wanted_by_checks(map, *checks);
    CaptureOptions filters = options;
    filters.groups.clear();
    if (auto known = check_filters(map, layout, filters); !known) {
        return fail(std::move(known.error()));
    }
    Selection selection;
    for (Index i = 0; i < layout.instances.size(); ++i) {
        if (wanted.registers[layout.instances[i].reg] && passes(map, layout.instances[i], filters)) {
            selection.instances.push_back(i);
        }
    }
    selection.named.resize(selection.instances.size());
    selection.held.resize(selection.instances.size());
    return selection;
}

Selection select_for_log(const RegisterMap& map, const Layout& layout, const regmaps::Log& log) {
    References references(map);
    references.visit(log.base);
    references.visit(log.count);
    const std::optional<regmaps::Instance>& select = layout.spaces[log.space].window_select;
    Selection selection;
    selection.instances.reserve(layout.instances.size());
    for (Index i = 0; i < layout.instances.size(); ++i) {
        const Index reg = layout.instances[i].reg;
        if (references.has(reg) || reg == log.producer || (select && reg == select->reg)) {
            selection.instances.push_back(i);
        }
    }
    selection.named.resize(selection.instances.size());
    selection.held.resize(selection.instances.size());
    return selection;
}

} // namespace barscope::tool
