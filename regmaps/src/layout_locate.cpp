// Single registers and values that the layout's expressions refer to.
#include "layout_placer.h"

#include <algorithm>

#include <fmt/format.h>

#include "decode_bits.h"

namespace barscope::regmaps {

LayoutScope::LayoutScope(Placer& placer, const Placer::Place& place)
    : Scope(placer.map_), placer_(placer), place_(place) {}

std::optional<std::uint64_t> LayoutScope::register_value(Index reg, const Indices& at) {
    if (passes_back() > 0) {
        return {};
    }
    const auto& found = placer_.locate(reg, at);
    std::string reason = found.why;
    std::optional<std::uint64_t> value;
    if (found.state == SpaceState::present) {
        value = placer_.value_of(found.instance, reason);
    }
    if (!value && why.empty()) {
        why = std::move(reason);
    }
    return value;
}

std::optional<std::uint64_t> LayoutScope::derived_value(Index derived) {
    if (passes_back() > 0) {
        return {};
    }
    const Outcome& outcome = placer_.derived(derived);
    if (!outcome.value && why.empty()) {
        why = outcome.why;
    }
    return outcome.value;
}

std::optional<std::uint64_t> LayoutScope::counter_value(Index) {
    if (why.empty()) {
        why = "a counter of the kernel says nothing about places";
    }
    return {};
}

std::optional<bool> LayoutScope::space_present(Index space) {
    const PlacedSpace& placed = placer_.space(space);
    if (placed.state != SpaceState::unknown) {
        return placed.state == SpaceState::present;
    }
    if (why.empty()) {
        why = placed.why;
    }
    return {};
}

std::optional<std::uint64_t> LayoutScope::array_index(unsigned level) {
    return level < place_.levels ? std::optional<std::uint64_t>(place_.at[level]) : std::nullopt;
}

std::optional<std::uint64_t> LayoutScope::own_field(Index field) {
    if (place_.own == nullptr || passes_back() > 0) {
        return {};
    }
    std::string reason;
    const auto value = placer_.value_of(*place_.own, reason);
    if (!value) {
        if (why.empty()) {
            why = std::move(reason);
        }
        return {};
    }
    return bit_slice(*value, map_.fields[field].lsb, map_.fields[field].msb);
}

// A layout is made within one pass: there is no earlier one to look at.
void LayoutScope::look_back(bool begins) {
    Scope::look_back(begins);
    if (begins && why.empty()) {
        why = "an earlier pass says nothing about places";
    }
}

void LayoutScope::divided_by_zero() {
    if (why.empty()) {
        why = "division by zero";
    }
}

Outcome Placer::ask(Index expression, const Place& place) {
    if (depth_ >=
        2 * max_dependence) { // the loader's limit holds; this one bounds the stack whatever comes in
        return {{}, "too many conditions depend on one another"};
    }
    ++depth_;
    LayoutScope scope(*this, place);
    const auto value = evaluate(map_, inputs_.pci, expression, scope);
    --depth_;
    if (value) {
        return {value, {}};
    }
    return {{}, scope.why.empty() ? "it cannot be computed" : std::move(scope.why)};
}

Outcome Placer::known(Index expression, const Place& place) {
    if (expression == none) {
        return {{}, "the map does not say it"};
    }
    Outcome outcome = ask(expression, place);
    if (!outcome.value) {
        const std::string_view source = map_.text(map_.expressions[expression].source);
        outcome.why = fmt::format("{} cannot be decided: {}", source, outcome.why);
    }
    return outcome;
}

std::optional<std::uint64_t> Placer::value_of(const Instance& instance, std::string& why) {
    const Register& reg = map_.registers[instance.reg];
    if (inputs_.value) {
        if (const auto value = inputs_.value(instance)) {
            return *value & low_mask(reg.width);
        }
    }
    const safety::WordStatus status = readability(map_, reg);
    if (status != safety::WordStatus::ok) {
        why = fmt::format("{} is not read: {}", instance_name(map_, instance), safety::explain(status));
        return {};
    }
    if (reg.on_request) { // what is not read unasked decides about no places
        why = instance_name(map_, instance) + " is read on request only";
        return {};
    }
    why = instance_name(map_, instance) + " was not read";
    if (!(inputs_.asked && inputs_.asked(instance)) &&
        needed_.insert({instance.reg, instance.index}).second) {
        needs_.push_back(instance);
    }
    return {};
}

const Outcome& Placer::derived(Index index) {
    DerivedValue& memo = derived_[index];
    if (memo.progress == Progress::untouched) {
        memo.progress = Progress::under_way;
        memo.outcome.why =
            "it depends on itself"; // what a cycle finds, should the loader have let one through
        const Derived& d = map_.derived[index];
        const Indices top{};
        Outcome outcome{1, {}};
        if (d.when != none) {
            outcome = ask(d.when, {top});
        }
        if (outcome.value && *outcome.value == 0) {
            outcome = {{}, fmt::format("{} does not apply here", map_.text(d.name))};
        } else if (outcome.value && d.value == none) {
            outcome = {{},
                       fmt::format("{} was not given (--set {}=...)", map_.text(d.name), map_.text(d.name))};
        } else if (outcome.value) {
            outcome = ask(d.value, {top});
        }
        memo.outcome = std::move(outcome);
        memo.progress = Progress::done;
    }
    return memo.outcome;
}

const Placer::Located& Placer::locate(Index reg, const Indices& at) {
    const auto [entry, fresh] = located_.try_emplace({reg, at});
    Located& kept = entry->second; // stays where it is while the recursion adds others
    if (fresh) {
        kept.why = "its place depends on itself";
        kept = locate_now(reg, at);
    }
    return kept;
}

Placer::Located Placer::locate_now(Index reg, const Indices& at) {
    const Register& r = map_.registers[reg];
    Located out;
    const PlacedSpace& home = space(r.space);
    if (home.state != SpaceState::present) {
        out.state = home.state;
        out.why = fmt::format("{} has no place: {}", map_.text(r.name), home.why);
        return out;
    }
    std::vector<Index> chain;
    for (Index b = r.block; b != none && chain.size() <= map_.blocks.size(); b = map_.blocks[b].parent) {
        chain.push_back(b);
    }
    std::reverse(chain.begin(), chain.end());
    Placement placement{home.base, at};
    unsigned levels = 0;
    for (const Index b : chain) {
        const Block& block = map_.blocks[b];
        if (!locate_step({.base = block.base, .when = block.when, .array = &block.array}, placement, levels,
                         out)) {
            return out;
        }
    }
    const Element self{.offset = r.offset, .when = r.when, .array = &r.array, .reg = reg};
    if (locate_step(self, placement, levels, out)) {
        out.state = SpaceState::present;
        out.instance = {placement.offset, reg, at};
        out.why.clear();
    }
    return out;
}

// Goes one block, or the register itself, inwards. False: `out` says why there is no such element.
bool Placer::locate_step(const Element& element, Placement& placement, unsigned& levels, Located& out) {
    Reasons reasons;
    const bool is_array = element.array->count != none;
    const Place outer{placement.at, levels, nullptr};
    const auto sorry = [&](SpaceState state, std::string why) {
        out.state = state;
        out.why = std::move(why);
        return false;
    };
    std::uint64_t step = 0;
    if (is_array) {
        const auto count = array_count(element, outer, reasons);
        if (!count) {
            return sorry(SpaceState::unknown, reasons.unknown);
        }
        if (levels >= max_indices || placement.at[levels] >= *count) {
            return sorry(SpaceState::absent, fmt::format("its array has {} elements", *count));
        }
        const Outcome stride = known(element.array->stride, outer);
        if (!stride.value) {
            return sorry(SpaceState::unknown, stride.why);
        }
        if (__builtin_mul_overflow(*stride.value, placement.at[levels], &step)) {
            return sorry(SpaceState::unknown, "its offset does not fit 64 bits");
        }
        ++levels;
    }
    const Place inner{placement.at, levels, nullptr};
    std::uint64_t base = 0;
    if (element.base != none) {
        const Outcome outcome = known(element.base, inner);
        if (!outcome.value) {
            return sorry(SpaceState::unknown, outcome.why);
        }
        base = *outcome.value;
    }
    if (__builtin_add_overflow(placement.offset, base, &placement.offset) ||
        __builtin_add_overflow(placement.offset, element.offset, &placement.offset) ||
        __builtin_add_overflow(placement.offset, step, &placement.offset)) {
        return sorry(SpaceState::unknown, "its offset does not fit 64 bits");
    }
    if (element.when == none) {
        return true;
    }
    const Instance own{placement.offset, element.reg, placement.at};
    if (holds(element.when, {placement.at, levels, element.reg == none ? nullptr : &own}, reasons)) {
        return true;
    }
    return reasons.unknown.empty() ? sorry(SpaceState::absent, reasons.absent)
                                   : sorry(SpaceState::unknown, reasons.unknown);
}

} // namespace barscope::regmaps
