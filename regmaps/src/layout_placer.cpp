#include "layout_placer.h"

#include <algorithm>

#include <fmt/format.h>

namespace barscope::regmaps {

std::size_t ReferenceHash::operator()(const Reference& r) const noexcept {
    std::uint64_t h = r.reg;
    for (const std::uint32_t i : r.at) {
        h = (h ^ i) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
}

void Placer::Reasons::note_absent(std::string why) {
    if (absent.empty()) {
        absent = std::move(why);
    }
}

void Placer::Reasons::note_unknown(std::string why) {
    if (unknown.empty()) {
        unknown = std::move(why);
    }
}

Placer::Placer(const RegisterMap& map, const LayoutInputs& inputs)
    : map_(map), inputs_(inputs), reasons_(std::make_shared<std::unordered_set<std::string>>()),
      spaces_(map.spaces.size()), space_progress_(map.spaces.size(), Progress::untouched),
      blocks_(map.blocks.size()), derived_(map.derived.size()) {}

Result<void> Placer::run(Layout* out) {
    out_ = out;
    if (out_ == nullptr && !inputs_.wanted.everything()) {
        walk_wanted();
    } else {
        for (Index i = 0; i < map_.spaces.size() && !error_; ++i) {
            space(i);
        }
        walk_registers();
    }
    if (error_) {
        return fail(std::move(*error_));
    }
    if (out_ != nullptr) {
        out_->spaces = std::move(spaces_);
        out_->reasons = std::move(reasons_);
    }
    return {};
}

// Space by space, so that only offsets within one space remain to be put in order.
void Placer::walk_registers() {
    const auto count = static_cast<Index>(map_.registers.size());
    const auto by_space = [](const Register& a, const Register& b) { return a.space < b.space; };
    std::vector<Index> order;
    if (!std::is_sorted(map_.registers.begin(), map_.registers.end(), by_space)) {
        std::vector<Index> next(map_.spaces.size() + 1, 0);
        for (const Register& reg : map_.registers) {
            ++next[reg.space + 1];
        }
        for (std::size_t i = 1; i < next.size(); ++i) {
            next[i] += next[i - 1];
        }
        order.resize(count);
        for (Index i = 0; i < count; ++i) {
            order[next[map_.registers[i].space]++] = i;
        }
    }
    if (out_ != nullptr) {
        out_->instances.reserve(count);
    }
    std::size_t begin = 0;
    for (Index i = 0; i < count && !error_; ++i) {
        const Index reg = order.empty() ? i : order[i];
        walk_register(reg);
        const Index next = i + 1 == count ? none : (order.empty() ? i + 1 : order[i + 1]);
        if (out_ != nullptr && (next == none || map_.registers[next].space != map_.registers[reg].space)) {
            order_instances(out_->instances, begin, out_->instances.size());
            begin = out_->instances.size();
        }
    }
}

void Placer::walk_register(Index index) {
    const Register& reg = map_.registers[index];
    const bool plain = reg.array.count == none && reg.when == none;
    if (plain && out_ == nullptr) {
        if (reg.block != none) {
            block_places(reg.block);
        }
        return;
    }
    const PlacedSpace& home = space(reg.space);
    if (home.state != SpaceState::present) {
        note_missing(index, home.state == SpaceState::unknown, home.why);
        return;
    }
    if (plain && reg.block == none) {
        emit(index, reg.offset, {});
        return;
    }
    const auto add = [&](std::uint64_t offset, const Placement& place) { emit(index, offset, place.at); };
    const Element element{.offset = reg.offset, .when = reg.when, .array = &reg.array, .reg = index};
    if (reg.block == none) {
        Reasons reasons;
        each_element(element, {}, 0, reasons, add);
        note_missing(index, reasons);
        return;
    }
    const BlockPlaces& block = block_places(reg.block);
    const bool doubtful = std::any_of(block.places.begin(), block.places.end(),
                                      [](const Placement& place) { return place.doubtful; });
    Reasons reasons = doubtful && is_forbidden(index) ? Reasons() : block.reasons;
    // Of a block that is perhaps not there, what must not be read is all that counts.
    const auto left_out = [&](const Placement& place) { return place.doubtful && !is_forbidden(index); };
    if (plain) {
        for (const Placement& place : block.places) {
            if (left_out(place)) {
                continue;
            }
            std::uint64_t offset = 0;
            if (__builtin_add_overflow(place.offset, reg.offset, &offset)) {
                reasons.note_unknown("its offset does not fit 64 bits");
                break;
            }
            add(offset, place);
        }
    } else {
        for (const Placement& place : block.places) {
            if (error_) {
                return;
            }
            if (left_out(place)) {
                continue;
            }
            each_element(element, place, block.levels, reasons, add);
        }
    }
    note_missing(index, reasons);
}

void Placer::emit(Index reg, std::uint64_t offset, const Indices& at) {
    if (out_ == nullptr || error_) {
        return;
    }
    if (out_->instances.size() >= inputs_.max_instances) {
        refuse({.reg = reg},
               fmt::format("the map has more than {} registers on this device", inputs_.max_instances),
               "too-many-registers");
        return;
    }
    std::uint64_t absolute = 0;
    if (__builtin_add_overflow(offset, spaces_[map_.registers[reg].space].base, &absolute)) {
        note_missing(reg, true, "its offset does not fit 64 bits");
        return;
    }
    out_->instances.push_back({absolute, reg, at});
}

void Placer::note_missing(Index reg, const Reasons& reasons) {
    if (!reasons.unknown.empty()) {
        note_missing(reg, true, reasons.unknown);
    } else if (out_ != nullptr && !reasons.absent.empty() &&
               (out_->instances.empty() || out_->instances.back().reg != reg)) {
        note_missing(reg, false, reasons.absent);
    }
}

void Placer::note_missing(Index reg, bool unknown, const std::string& why) {
    if (out_ == nullptr || (!out_->missing.empty() && out_->missing.back().reg == reg)) {
        return;
    }
    out_->missing.push_back({reg, unknown, *reasons_->insert(why).first});
}

const Placer::BlockPlaces& Placer::block_places(Index index) {
    BlockPlaces& block = blocks_[index];
    if (block.progress != Progress::untouched) {
        return block;
    }
    block.progress =
        Progress::under_way; // an expression of the block that needs the block itself finds no place
    const Block& b = map_.blocks[index];
    const std::vector<Placement> top(1);
    const std::vector<Placement>* parents = &top;
    unsigned levels = 0;
    if (b.parent != none) {
        const BlockPlaces& parent = block_places(b.parent);
        parents = &parent.places;
        levels = parent.levels;
        block.reasons = parent.reasons;
    }
    const Element element{.base = b.base, .when = b.when, .array = &b.array, .block = index};
    for (const Placement& parent : *parents) {
        if (error_) {
            break;
        }
        each_element(element, parent, levels, block.reasons,
                     [&](std::uint64_t offset, const Placement& here) {
                         if (++places_ >
                             4 * inputs_.max_instances) { // blocks within blocks: each of them has elements
                             error_ = Error{ErrorCode::bad_input, "too-many-registers",
                                            fmt::format("block {} of map {} has too many elements",
                                                        map_.text(b.name), map_.name),
                                            std::string(map_.origin), "check the count in the map"};
                             return;
                         }
                         block.places.push_back({offset, here.at, here.doubtful});
                     });
    }
    block.levels = levels + (b.array.count == none ? 0 : 1);
    block.progress = Progress::done;
    return block;
}

bool Placer::holds(Index when, const Place& place, Reasons& reasons) {
    const Outcome outcome = known(when, place);
    if (!outcome.value) {
        reasons.note_unknown(outcome.why);
        return false;
    }
    if (*outcome.value == 0) {
        reasons.note_absent(fmt::format("{} does not hold", map_.text(map_.expressions[when].source)));
        return false;
    }
    return true;
}

bool Placer::is_forbidden(Index reg) const {
    return readability(map_, map_.registers[reg]) != safety::WordStatus::ok;
}

bool Placer::holds_forbidden(Index block) {
    if (holds_forbidden_.empty()) {
        holds_forbidden_.resize(map_.blocks.size());
        for (Index reg = 0; reg < map_.registers.size(); ++reg) {
            Index inside = is_forbidden(reg) ? map_.registers[reg].block : none;
            for (; inside != none && !holds_forbidden_[inside]; inside = map_.blocks[inside].parent) {
                holds_forbidden_[inside] = true;
            }
        }
    }
    return holds_forbidden_[block];
}

// What must not be read is there unless it decidedly is not: no load may touch its place.
bool Placer::is_there(const Element& element, const Place& place, Placement& placement, Reasons& reasons) {
    const bool forbidden = element.reg != none ? is_forbidden(element.reg) : holds_forbidden(element.block);
    const bool doubtful = forbidden && !known(element.when, place).value;
    placement.doubtful = placement.doubtful || doubtful;
    Reasons unused; // a register that counts as there is not missing
    const bool there = holds(element.when, place, doubtful && element.reg != none ? unused : reasons);
    return there || doubtful;
}

std::optional<std::uint64_t> Placer::array_count(const Element& element, const Place& place,
                                                 Reasons& reasons) {
    const Outcome count = known(element.array->count, place);
    if (!count.value) {
        reasons.note_unknown(count.why);
        return {};
    }
    if (*count.value > max_array_elements) {
        refuse(element,
               fmt::format("{} would have {} elements; {} is the most", element_name(element), *count.value,
                           max_array_elements),
               "array-too-long");
        return {};
    }
    if (*count.value == 0) {
        reasons.note_absent(fmt::format("its array is empty ({} is 0)",
                                        map_.text(map_.expressions[element.array->count].source)));
    }
    return count.value;
}

template <typename Emit>
void Placer::each_element(const Element& element, const Placement& parent, unsigned levels, Reasons& reasons,
                          const Emit& on_element) {
    const Place outer{parent.at, levels, nullptr};
    const bool is_array = element.array->count != none;
    const bool late_when = element.when != none && varies_by_element(map_, element.when);
    Placement here = parent;
    if (element.when != none && !late_when && !is_there(element, outer, here, reasons)) {
        return;
    }
    std::uint64_t count = 1;
    std::uint64_t stride = 0;
    if (is_array) {
        const auto elements = array_count(element, outer, reasons);
        const Outcome step = known(element.array->stride, outer);
        if (!elements) {
            return;
        }
        if (!step.value) {
            reasons.note_unknown(step.why);
            return;
        }
        count = *elements;
        stride = *step.value;
        if (stride == 0 && count > 1 && !(element.base != none && varies_by_element(map_, element.base))) {
            reasons.note_unknown("its stride is 0, which would lay its elements over one another");
            return;
        }
    }
    if (out_ == nullptr && element.reg != none && !late_when) {
        return; // nothing but the elements' places would follow
    }
    each_index(element, here, levels, count, stride, reasons, on_element);
}

template <typename Emit>
void Placer::each_index(const Element& element, const Placement& parent, unsigned levels, std::uint64_t count,
                        std::uint64_t stride, Reasons& reasons, const Emit& on_element) {
    const bool is_array = element.array->count != none;
    if (is_array && levels >= max_indices) {
        reasons.note_unknown("it is nested more than three arrays deep");
        return;
    }
    const bool late_when = element.when != none && varies_by_element(map_, element.when);
    const bool late_base = element.base != none && varies_by_element(map_, element.base);
    Placement here = parent;
    const Place inner{here.at, levels + (is_array ? 1U : 0U), nullptr};
    Outcome base{0, {}};
    if (element.base != none && !late_base) {
        base = known(element.base, {parent.at, levels, nullptr});
    }
    for (std::uint64_t i = 0; i < count && !error_; ++i) {
        if (is_array) {
            here.at[levels] = static_cast<std::uint32_t>(i);
        }
        if (late_base) {
            base = known(element.base, inner);
        }
        if (!base.value) {
            reasons.note_unknown(base.why);
            continue;
        }
        std::uint64_t offset = 0;
        std::uint64_t step = 0;
        std::uint64_t start = 0;
        if (__builtin_mul_overflow(i, stride, &step) ||
            __builtin_add_overflow(parent.offset, *base.value, &start) ||
            __builtin_add_overflow(start, element.offset, &start) ||
            __builtin_add_overflow(start, step, &offset)) {
            reasons.note_unknown("its offset does not fit 64 bits");
            continue;
        }
        if (late_when) {
            const std::uint64_t home =
                element.reg == none ? 0 : spaces_[map_.registers[element.reg].space].base;
            const Instance own{home + offset, element.reg, here.at};
            here.doubtful = parent.doubtful;
            if (!is_there(element, {here.at, inner.levels, element.reg == none ? nullptr : &own}, here,
                          reasons)) {
                continue;
            }
        }
        on_element(offset, here);
    }
}

std::string Placer::element_name(const Element& element) const {
    if (element.reg == none) {
        return "a block";
    }
    return std::string(map_.text(map_.registers[element.reg].name));
}

void Placer::refuse(const Element& element, std::string what, std::string cause) {
    if (error_) {
        return;
    }
    std::string where(map_.origin);
    if (element.reg != none) {
        where = fmt::format("{}: register {}", map_.origin, map_.text(map_.registers[element.reg].name));
    }
    error_ = Error{ErrorCode::bad_input, std::move(cause), std::move(what), std::move(where),
                   "check the map's counts, and the registers that they are computed from"};
}

} // namespace barscope::regmaps
