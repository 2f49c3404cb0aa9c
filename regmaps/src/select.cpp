// From what people type to instances.
#include <algorithm>
#include <functional>
#include <unordered_set>

#include <fmt/format.h>

#include "select_errors.h"
#include "select_match.h"
#include <regmaps/names.h>

namespace barscope::regmaps {

namespace {

// What has been selected so far, each thing once.
class Selection {
  public:
    explicit Selection(std::size_t instances) : whole_(instances) {}

    void add(Selected s) {
        const bool fresh = s.field == none
                               ? !whole_[s.instance]
                               : fields_.insert((std::uint64_t{s.instance} << 32) | s.field).second;
        if (s.field == none) {
            whole_[s.instance] = true;
        }
        if (fresh) {
            out_.push_back(s);
        }
    }
    std::vector<Selected> take() { return std::move(out_); }

  private:
    std::vector<bool> whole_;
    std::unordered_set<std::uint64_t> fields_;
    std::vector<Selected> out_;
};

bool element_wanted(const NameMatch& match, const Instance& instance) {
    for (unsigned level = 0; level < max_indices; ++level) {
        if (match.wanted[level] && *match.wanted[level] != instance.index[level]) {
            return false;
        }
    }
    return true;
}

// Adds the instances of what a name means, in layout order; returns how many there are.
std::size_t add_matches(const RegisterMap& map, const Layout& layout, const std::vector<NameMatch>& matches,
                        Selection& selection) {
    std::vector<Index> match_of(map.registers.size(), none);
    for (Index i = 0; i < matches.size(); ++i) {
        match_of[matches[i].reg] = i;
    }
    std::size_t found = 0;
    for (Index i = 0; i < layout.instances.size(); ++i) {
        const Index m = match_of[layout.instances[i].reg];
        if (m != none && element_wanted(matches[m], layout.instances[i])) {
            selection.add({i, matches[m].field});
            ++found;
        }
    }
    return found;
}

class GlobMatcher {
  public:
    GlobMatcher(const RegisterMap& map, std::string_view pattern, Case how)
        : map_(map), how_(how), pattern_(cased(pattern)) {
        const auto dot = pattern_.rfind('.');
        if (dot != std::string::npos) {
            register_part_ = pattern_.substr(0, dot);
            field_part_ = pattern_.substr(dot + 1);
        }
    }

    bool whole(const Instance& instance) { return either_name(pattern_, instance); }

    // Fields of the register that "REGISTER.FIELD" means.
    template <typename OnField>
    void fields(const Instance& instance, const OnField& on_field) {
        if (field_part_.empty() || !either_name(register_part_, instance)) {
            return;
        }
        const Range range = map_.registers[instance.reg].fields;
        for (Index f = range.begin; f < range.begin + range.count; ++f) {
            if (glob_match(field_part_, cased(map_.text(map_.fields[f].name)))) {
                on_field(f);
            }
        }
    }

  private:
    std::string cased(std::string_view text) const {
        return how_ == Case::folded ? case_folded(text) : std::string(text);
    }

    // A pattern without brackets means every element of an array.
    bool either_name(const std::string& pattern, const Instance& instance) {
        name_.clear();
        append_instance_name(map_, instance, name_);
        if (how_ == Case::folded) {
            name_ = case_folded(name_);
        }
        return glob_match(pattern, name_) ||
               (name_.find('[') != std::string::npos && glob_match(pattern, without_indices(name_)));
    }

    const RegisterMap& map_;
    Case how_;
    std::string pattern_, register_part_, field_part_;
    std::string name_; // kept for its memory
};

std::size_t add_glob(const RegisterMap& map, const Layout& layout, std::string_view pattern, Case how,
                     Selection& selection) {
    GlobMatcher matcher(map, pattern, how);
    std::size_t found = 0;
    for (Index i = 0; i < layout.instances.size(); ++i) {
        if (matcher.whole(layout.instances[i])) {
            selection.add({i, none});
            ++found;
        }
    }
    if (found != 0) {
        return found;
    }
    for (Index i = 0; i < layout.instances.size(); ++i) {
        matcher.fields(layout.instances[i], [&](Index field) {
            selection.add({i, field});
            ++found;
        });
    }
    return found;
}

// The registers that a glob means and that have no instance here.
std::vector<NameMatch> glob_without_instance(const RegisterMap& map, const Layout& layout,
                                             std::string_view pattern, Case how) {
    GlobMatcher matcher(map, pattern, how);
    std::vector<NameMatch> out;
    for (const Missing& missing : layout.missing) {
        const Instance first{0, missing.reg, {}};
        bool meant = matcher.whole(first);
        matcher.fields(first, [&](Index) { meant = true; });
        if (meant) {
            out.push_back({missing.reg, none, {}});
        }
    }
    return out;
}

Result<void> add_pattern(const RegisterMap& map, const Layout& layout, const std::string& pattern,
                         Selection& selection) {
    std::vector<NameMatch> without_instance;
    for (const Case how : {Case::exact, Case::folded}) {
        if (is_glob(pattern)) {
            if (add_glob(map, layout, pattern, how, selection) != 0) {
                return {};
            }
            without_instance = glob_without_instance(map, layout, pattern, how);
        } else {
            without_instance = match_name(map, pattern, how);
            if (!without_instance.empty() && add_matches(map, layout, without_instance, selection) != 0) {
                return {};
            }
        }
        if (!without_instance.empty()) {
            return fail(no_instance(map, layout, pattern, without_instance));
        }
    }
    return fail(unknown_name(map, pattern));
}

// A glob with brackets may mean any element, and what it means cannot be told without one.
void mark_glob(const RegisterMap& map, std::string_view pattern, std::vector<bool>& meant) {
    const bool brackets = pattern.find_first_of("[]") != std::string_view::npos;
    GlobMatcher matcher(map, pattern, Case::folded);
    for (Index reg = 0; reg < map.registers.size(); ++reg) {
        const Instance first{0, reg, {}};
        bool here = (brackets && has_indices(map, reg)) || matcher.whole(first);
        matcher.fields(first, [&](Index) { here = true; });
        meant[reg] = meant[reg] || here;
    }
}

bool in_list(const RegisterMap& map, Range groups, std::string_view group) {
    const auto list = map.text_list.subspan(groups.begin, groups.count);
    return std::any_of(list.begin(), list.end(), [&](Text t) { return map.text(t) == group; });
}

bool in_group(const RegisterMap& map, const Register& reg, const std::vector<bool>& block_in_group,
              std::string_view group) {
    return (reg.block != none && block_in_group[reg.block]) || in_list(map, reg.groups, group);
}

// Registers of the group, by index. A block's group is that of all in it.
std::vector<bool> members(const RegisterMap& map, std::string_view group) {
    std::vector<bool> blocks(map.blocks.size());
    for (Index i = 0; i < map.blocks.size(); ++i) {
        for (Index b = i; b != none && !blocks[i]; b = map.blocks[b].parent) {
            blocks[i] = in_list(map, map.blocks[b].groups, group);
        }
    }
    std::vector<bool> out(map.registers.size());
    for (Index i = 0; i < map.registers.size(); ++i) {
        out[i] = in_group(map, map.registers[i], blocks, group);
    }
    return out;
}

} // namespace

Result<std::vector<Selected>> select(const RegisterMap& map, const Layout& layout,
                                     const std::vector<std::string>& patterns) {
    Selection selection(layout.instances.size());
    for (const std::string& pattern : patterns) {
        if (auto added = add_pattern(map, layout, pattern, selection); !added) {
            return fail(std::move(added.error()));
        }
    }
    return selection.take();
}

std::vector<bool> registers_meant(const RegisterMap& map, const std::vector<std::string>& patterns) {
    std::vector<bool> meant(map.registers.size());
    for (const std::string& pattern : patterns) {
        if (is_glob(pattern)) {
            mark_glob(map, pattern, meant);
            continue;
        }
        auto matches = match_name(map, pattern, Case::exact);
        if (matches.empty()) {
            matches = match_name(map, pattern, Case::folded);
        }
        for (const NameMatch& match : matches) {
            meant[match.reg] = true;
        }
    }
    return meant;
}

Result<std::vector<Selected>> select_groups(const RegisterMap& map, const Layout& layout,
                                            const std::vector<std::string>& groups) {
    std::vector<bool> wanted(map.registers.size());
    for (const std::string& group : groups) {
        const std::vector<bool> in = members(map, group);
        if (std::find(in.begin(), in.end(), true) == in.end()) {
            return fail(unknown_group(map, group));
        }
        const auto here = [&](const Instance& i) { return in[i.reg]; };
        if (std::none_of(layout.instances.begin(), layout.instances.end(), here)) {
            return fail(group_without_instance(map, layout, group, in));
        }
        std::transform(wanted.begin(), wanted.end(), in.begin(), wanted.begin(), std::logical_or<>());
    }
    std::vector<Selected> out;
    for (Index i = 0; i < layout.instances.size(); ++i) {
        if (wanted[layout.instances[i].reg]) {
            out.push_back({i, none});
        }
    }
    return out;
}

} // namespace barscope::regmaps
