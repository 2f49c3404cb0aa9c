#include <capture/selection.h>

#include <algorithm>

#include <capture/filters.h>
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
            .remedy = "name a register; raw access needs lab override: --lab-override --reason TEXT"};
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
    for (const Index i : selection.instances) { // a check is nobody's request
        selection.held.push_back(map.registers[layout.instances[i].reg].on_request);
    }
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
