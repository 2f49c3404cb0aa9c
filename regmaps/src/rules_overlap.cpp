// Registers over the same bytes. Arrays are not expanded where folding them onto one period is exact: all
// items that repeat with the same count and stride and fit into one period overlap if and only if they do in
// that period. Only items that still seem to touch afterwards are expanded into elements.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "loader_state.h"
#include "rules.h"
#include "rules_footprint.h"

namespace barscope::regmaps {

namespace {

constexpr std::size_t max_expanded = std::size_t{8} << 20;

struct Run { // bytes [begin, end)
    std::uint64_t begin = 0, end = 0;
    Index reg = none;
    bool conditional = false;
};

constexpr std::uint32_t no_member = 0xffffffff;

// A register, or several that have been folded: a list from `first` to `last` through Overlaps::next_, of
// places in Overlaps::placed_.
struct Item {
    std::uint64_t begin = 0, end = 0; // of the first element in the dimensions that remain
    std::array<Dimension, max_indices> dims;
    unsigned dim_count = 0;
    std::uint32_t first = no_member, last = no_member;
    bool conditional = false;
    bool folded = false;
};

struct Placed {
    Footprint place;
    Index reg = none;
};

class Overlaps {
  public:
    Overlaps(LoadState& state, std::span<const Placed> placed)
        : state_(state), placed_(placed), next_(placed.size(), no_member) {}

    bool check() {
        if (is_plain_sequence()) {
            return true;
        }
        std::vector<Item> items;
        items.reserve(placed_.size());
        for (std::uint32_t i = 0; i < placed_.size(); ++i) {
            const Footprint& place = placed_[i].place;
            Item item{place.start, place.start + bytes(i), place.dims, place.dim_count, i,
                      i,           place.conditional,      false};
            items.push_back(item);
        }
        for (unsigned dims = max_indices; dims > 0; --dims) {
            if (!fold(items, dims)) {
                return false;
            }
        }
        return check_touching(items.begin(), items.end(), 0);
    }

  private:
    using Iterator = std::vector<Item>::iterator;

    // What most maps are: single registers in ascending order, none of which touches the next.
    bool is_plain_sequence() const {
        std::uint64_t reached = 0;
        for (std::uint32_t i = 0; i < placed_.size(); ++i) {
            if (placed_[i].place.dim_count > 0 || placed_[i].place.start < reached) {
                return false;
            }
            reached = placed_[i].place.start + bytes(i);
        }
        return true;
    }

    std::uint64_t bytes(std::uint32_t member) const {
        return bytes_of(state_.tables.registers[placed_[member].reg]);
    }

    // Replaces the items that have `dims` dimensions by ones that have one less.
    bool fold(std::vector<Item>& items, unsigned dims) {
        const auto first = std::partition(items.begin(), items.end(),
                                          [dims](const Item& item) { return item.dim_count != dims; });
        std::sort(first, items.end(), [](const Item& a, const Item& b) {
            return a.dims != b.dims ? a.dims < b.dims : a.begin < b.begin;
        });
        std::vector<Item> folded;
        for (auto begin = first; begin != items.end();) {
            const std::uint64_t stride = begin->dims[dims - 1].stride;
            auto end = begin + 1;
            while (end != items.end() && end->dims == begin->dims && end->end - begin->begin <= stride) {
                ++end;
            }
            if (!check_touching(begin, end, dims) || !check_period(*begin, dims)) {
                return false;
            }
            for (const bool conditional : {false, true}) {
                append_folded(begin, end, dims, conditional, folded);
            }
            begin = end;
        }
        items.erase(first, items.end());
        std::move(folded.begin(), folded.end(), std::back_inserter(items));
        return true;
    }

    // An item that is longer than its stride meets its own next element, which is fine only if both have a
    // `when`.
    bool check_period(const Item& item, unsigned dims) {
        const Dimension& inner = item.dims[dims - 1];
        if (item.end - item.begin <= inner.stride || (item.conditional && !item.folded)) {
            return true;
        }
        if (!item.folded) {
            const Index reg = placed_[item.first].reg;
            return state_.fail(
                state_.register_places[reg],
                fmt::format("elements of the array \"{}\" overlap: each has {} bytes, the stride is {}",
                            path_of(state_.tables, state_.tables.registers[reg]), item.end - item.begin,
                            inner.stride),
                "correct the stride", "map-registers-overlap");
        }
        std::vector<std::uint32_t> members;
        append_members(item, members);
        return check_expanded(members, dims - 1);
    }

    void append_folded(Iterator begin, Iterator end, unsigned dims, bool conditional,
                       std::vector<Item>& out) {
        Item sum;
        for (auto it = begin; it != end; ++it) {
            if (it->conditional != conditional) {
                continue;
            }
            if (sum.first == no_member) {
                sum.begin = it->begin;
                sum.first = it->first;
            } else {
                sum.begin = std::min(sum.begin, it->begin);
                next_[sum.last] = it->first;
            }
            sum.end = std::max(sum.end, it->end);
            sum.last = it->last;
        }
        if (sum.first == no_member) {
            return;
        }
        const Dimension inner = begin->dims[dims - 1];
        sum.end += (inner.count - 1) * inner.stride;
        sum.dims = begin->dims;
        sum.dims[dims - 1] = {};
        sum.dim_count = dims - 1;
        sum.conditional = conditional;
        sum.folded = true;
        out.push_back(sum);
    }

    // Items whose extents touch: single registers are compared as they are, others element by element. `dims`
    // of each register's dimensions are left out (they have been compared, or will be).
    bool check_touching(Iterator begin, Iterator end, unsigned dims) {
        std::sort(begin, end, [](const Item& a, const Item& b) { return a.begin < b.begin; });
        for (auto first = begin; first != end;) {
            std::uint64_t reach = first->end;
            bool single = !first->folded;
            auto last = first + 1;
            for (; last != end && last->begin < reach; ++last) {
                reach = std::max(reach, last->end);
                single = single && !last->folded;
            }
            if (last - first > 1 && !(single ? check_single(first, last) : check_group(first, last, dims))) {
                return false;
            }
            first = last;
        }
        return true;
    }

    bool check_single(Iterator begin, Iterator end) {
        std::vector<Run> runs;
        for (auto it = begin; it != end; ++it) {
            runs.push_back({it->begin, it->end, placed_[it->first].reg, it->conditional});
        }
        return check_runs(runs);
    }

    bool check_group(Iterator begin, Iterator end, unsigned dims) {
        std::vector<std::uint32_t> members;
        for (auto it = begin; it != end; ++it) {
            append_members(*it, members);
        }
        return check_expanded(members, dims);
    }

    void append_members(const Item& item, std::vector<std::uint32_t>& members) const {
        for (std::uint32_t member = item.first;; member = next_[member]) {
            members.push_back(member);
            if (member == item.last) {
                return;
            }
        }
    }

    // All elements of these registers, over their dimensions from `dims` on.
    bool check_expanded(const std::vector<std::uint32_t>& members, unsigned dims) {
        std::vector<Run> runs;
        for (const std::uint32_t member : members) {
            if (!expand(member, dims, runs)) {
                return false;
            }
        }
        return check_runs(runs);
    }

    bool expand(std::uint32_t member, unsigned dims, std::vector<Run>& runs) {
        const Footprint& place = placed_[member].place;
        const std::size_t first = runs.size();
        runs.push_back({place.start, place.start + bytes(member), placed_[member].reg, place.conditional});
        for (unsigned d = dims; d < place.dim_count; ++d) {
            const std::size_t count = runs.size() - first;
            expanded_ += count * place.dims[d].count;
            if (expanded_ > max_expanded) {
                return state_.fail(state_.register_places[placed_[member].reg],
                                   "the arrays here interleave in too many elements to be compared",
                                   "put registers that repeat together into one block with an array");
            }
            for (std::uint64_t i = 1; i < place.dims[d].count; ++i) {
                for (std::size_t j = 0; j < count; ++j) {
                    Run run = runs[first + j];
                    run.begin += i * place.dims[d].stride;
                    run.end += i * place.dims[d].stride;
                    runs.push_back(run);
                }
            }
        }
        return true;
    }

    // Registers that both have a `when` may share bytes; no others may.
    bool check_runs(std::vector<Run>& runs) {
        std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.reg < b.reg;
        });
        const Run* always = nullptr; // of those so far, the one that reaches furthest
        const Run* sometimes = nullptr;
        for (const Run& run : runs) {
            if (always != nullptr && run.begin < always->end) {
                return report(*always, run);
            }
            if (!run.conditional && sometimes != nullptr && run.begin < sometimes->end) {
                return report(*sometimes, run);
            }
            const Run*& furthest = run.conditional ? sometimes : always;
            if (furthest == nullptr || run.end > furthest->end) {
                furthest = &run;
            }
        }
        return true;
    }

    bool report(const Run& a, const Run& b) {
        const Index first = std::min(a.reg, b.reg);
        const Index second = std::max(a.reg, b.reg);
        const Tables& tables = state_.tables;
        const std::uint64_t at = std::max(a.begin, b.begin);
        const std::string what = first == second
                                     ? fmt::format("elements of the array \"{}\" overlap at {:#x}",
                                                   path_of(tables, tables.registers[first]), at)
                                     : fmt::format("the register \"{}\" overlaps \"{}\" at {:#x}",
                                                   path_of(tables, tables.registers[second]),
                                                   path_of(tables, tables.registers[first]), at);
        return state_.fail(
            state_.register_places[second], what,
            "correct the offset; for another reading of the same bytes add \"alternate\": true, or a "
            "\"when\" to both",
            "map-registers-overlap");
    }

    LoadState& state_;
    std::span<const Placed> placed_;
    std::vector<std::uint32_t> next_; // in the lists of items
    std::size_t expanded_ = 0;
};

} // namespace

bool check_overlaps(LoadState& state) {
    const Tables& tables = state.tables;
    const Footprints footprints(tables);
    // Registers are compared where their places count from the same point: a space's base, or a block's base
    // that is not constant.
    std::vector<Placed> placed;
    placed.reserve(tables.registers.size());
    for (Index i = 0; i < tables.registers.size(); ++i) {
        if (!tables.registers[i].alternate) {
            placed.push_back({footprints.of(tables.registers[i]), i});
        }
    }
    const auto key = [&](const Placed& p) {
        return std::uint64_t{tables.registers[p.reg].space} << 32 | p.place.anchor;
    };
    std::stable_sort(placed.begin(), placed.end(),
                     [&](const Placed& a, const Placed& b) { return key(a) < key(b); });
    for (auto begin = placed.begin(); begin != placed.end();) {
        const auto end =
            std::find_if(begin, placed.end(), [&](const Placed& p) { return key(p) != key(*begin); });
        if (!Overlaps(state, {begin, end}).check()) {
            return false;
        }
        begin = end;
    }
    return true;
}

} // namespace barscope::regmaps
