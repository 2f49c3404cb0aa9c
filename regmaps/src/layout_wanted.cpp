// What has to be evaluated where only a part of the map is wanted.
#include <algorithm>
#include <array>

#include "layout_placer.h"

namespace barscope::regmaps {

namespace {

constexpr std::size_t bar_count = 6;
constexpr std::size_t config_source = bar_count;
constexpr std::size_t source_count = bar_count + 1;

// The BAR (or configuration space) that a space lies in; nothing: it depends on the device.
std::optional<std::size_t> source_of(const RegisterMap& map, const Space& space) {
    if (space.kind != SpaceKind::bar) {
        return config_source;
    }
    if (space.bar == none) {
        return {};
    }
    const Range code = map.expressions[space.bar].code;
    const Code& first = map.codes[code.begin];
    const bool constant = code.count == 1 && first.op == Op::push && first.imm < bar_count;
    return constant ? std::optional<std::size_t>(first.imm) : std::nullopt;
}

class Sources {
  public:
    Sources(const RegisterMap& map, const std::vector<bool>& wanted) : map_(map) {
        for (Index i = 0; i < map.registers.size(); ++i) {
            if (wanted[i]) {
                add(source_of(map, map.spaces[map.registers[i].space]));
            }
        }
    }

    bool may_hold(const Register& reg) const {
        const auto source = source_of(map_, map_.spaces[reg.space]);
        return source ? used_.at(*source) : std::find(used_.begin(), used_.end(), true) != used_.end();
    }

  private:
    void add(std::optional<std::size_t> source) {
        if (source) {
            used_.at(*source) = true;
        } else {
            used_.fill(true); // it could be any of them
        }
    }

    const RegisterMap& map_;
    std::array<bool, source_count> used_{};
};

} // namespace

// Besides what is wanted: registers of the same sources that no load may touch, and those that tell whether
// the device answers.
void Placer::walk_wanted() {
    const Wanted& wanted = inputs_.wanted;
    const Sources sources(map_, wanted.registers);
    for (Index i = 0; i < wanted.spaces.size() && !error_; ++i) {
        if (wanted.spaces[i]) {
            space(i);
        }
    }
    for (Index i = 0; i < map_.registers.size() && !error_; ++i) {
        const Register& reg = map_.registers[i];
        const bool guards = reg.never_all_ones || readability(map_, reg) != safety::WordStatus::ok;
        if (wanted.registers[i] || (guards && sources.may_hold(reg))) {
            space(reg.space);
            walk_register(i);
        }
    }
}

} // namespace barscope::regmaps
