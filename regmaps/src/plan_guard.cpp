#include "plan_guard.h"

#include <algorithm>
#include <tuple>

#include "decode_bits.h"

namespace barscope::regmaps {

namespace {

std::uint64_t end_of(std::uint64_t begin, std::uint64_t size) {
    std::uint64_t end = 0;
    return __builtin_add_overflow(begin, size, &end) ? UINT64_MAX : end;
}

bool legal(const Space& space, const Register& reg) {
    const unsigned width = reg.split == safety::Split::hi_lo_hi ? 32 : reg.width;
    return (space.legal_widths & (width / 8)) != 0; // 8, 16, 32, 64 bits are bits 0 to 3
}

using Extent = std::pair<std::uint64_t, std::uint64_t>; // begin, end

void sort_unless_sorted(std::vector<Extent>& extents) {
    if (!std::is_sorted(extents.begin(), extents.end())) {
        std::sort(extents.begin(), extents.end());
    }
}

std::vector<safety::ForbiddenRange> merged(std::vector<Extent>& extents) {
    sort_unless_sorted(extents);
    std::vector<safety::ForbiddenRange> out;
    for (const auto& [begin, end] : extents) {
        if (!out.empty() && begin <= out.back().end) {
            out.back().end = std::max(out.back().end, end);
        } else {
            out.push_back({begin, end});
        }
    }
    return out;
}

// Collects what one source's instances say.
class Guard {
  public:
    Guard(const RegisterMap& map, const Layout& layout) : map_(map), layout_(layout) {}

    // `shown`: not behind a window that the plan does not read through.
    void look_at(const Instance& instance, bool shown) {
        const Register& reg = map_.registers[instance.reg];
        const Extent extent = extent_of(instance, reg);
        const safety::WordStatus status = readability(map_, reg);
        if (status == safety::WordStatus::ok) {
            if (shown) {
                look_at_readable(instance, reg);
            }
        } else if (status == safety::WordStatus::write_only &&
                   (reg.read_action == ReadAction::none || reg.read_action == ReadAction::unclaimed)) {
            write_only_.push_back(extent);
        } else {
            forbidden_.push_back(extent);
        }
    }

    bool any_write_only() const { return !write_only_.empty(); }

    // A write-only register may share its bytes with a readable one (a command register that reads as a
    // status): the map says that loading exactly these bytes is safe.
    void look_for_shared_bytes(const Instance& instance) {
        const Register& reg = map_.registers[instance.reg];
        if (readability(map_, reg) == safety::WordStatus::ok) {
            readable_.push_back(extent_of(instance, reg));
        }
    }

    void finish(safety::SpacePlan& plan) {
        sort_unless_sorted(readable_);
        for (const Extent& extent : write_only_) {
            if (!std::binary_search(readable_.begin(), readable_.end(), extent)) {
                forbidden_.push_back(extent);
            }
        }
        plan.forbidden = merged(forbidden_);
        const auto by_offset = [](const safety::WordRequest& a, const safety::WordRequest& b) {
            return std::tie(a.offset, a.width) < std::tie(b.offset, b.width);
        };
        const auto same = [](const safety::WordRequest& a, const safety::WordRequest& b) {
            return a.offset == b.offset && a.width == b.width;
        };
        std::sort(sentinels_.begin(), sentinels_.end(), by_offset);
        sentinels_.erase(std::unique(sentinels_.begin(), sentinels_.end(), same), sentinels_.end());
        plan.sentinels = std::move(sentinels_);
        plan.poison = distinct_poison();
    }

  private:
    static Extent extent_of(const Instance& instance, const Register& reg) {
        return {instance.offset, end_of(instance.offset, reg.width / 8)};
    }

    void look_at_readable(const Instance& instance, const Register& reg) {
        if (reg.never_all_ones && loadable(map_, layout_, instance) == safety::WordStatus::ok) {
            sentinels_.push_back({instance.offset, reg.width, reg.read_action, reg.split, reg.order});
        }
        if (reg.poison.count != 0 && instance.reg != poison_of_) {
            poison_of_ = instance.reg;
            for (const Poison& p : map_.poisons.subspan(reg.poison.begin, reg.poison.count)) {
                const std::uint64_t all = low_mask(reg.width);
                add_poison({p.mask & all, p.value & all, reg.width});
            }
        }
    }

    void add_poison(const safety::Poison& p) {
        if (poison_.empty() || key(poison_.back()) != key(p)) {
            poison_.push_back(p);
        }
    }

    static std::tuple<std::uint8_t, std::uint64_t, std::uint64_t> key(const safety::Poison& p) {
        return {p.width, p.pattern, p.mask};
    }

    std::vector<safety::Poison> distinct_poison() {
        const auto less = [](const safety::Poison& a, const safety::Poison& b) { return key(a) < key(b); };
        const auto same = [](const safety::Poison& a, const safety::Poison& b) { return key(a) == key(b); };
        std::sort(poison_.begin(), poison_.end(), less);
        poison_.erase(std::unique(poison_.begin(), poison_.end(), same), poison_.end());
        return std::move(poison_);
    }

    const RegisterMap& map_;
    const Layout& layout_;
    std::vector<Extent> readable_, write_only_, forbidden_;
    std::vector<safety::WordRequest> sentinels_;
    std::vector<safety::Poison> poison_;
    Index poison_of_ = none;
};

} // namespace

safety::WordStatus loadable(const RegisterMap& map, const Layout& layout, const Instance& instance) {
    const Register& reg = map.registers[instance.reg];
    const safety::WordStatus status = readability(map, reg);
    if (status != safety::WordStatus::ok) {
        return status;
    }
    const PlacedSpace& home = layout.spaces[reg.space];
    if (instance.offset < home.base ||
        end_of(instance.offset, reg.width / 8) > end_of(home.base, home.size)) {
        return safety::WordStatus::out_of_range;
    }
    return legal(map.spaces[reg.space], reg) ? safety::WordStatus::ok : safety::WordStatus::illegal_width;
}

void guard_plan(const RegisterMap& map, const Layout& layout, PlannedRead& read) {
    // What lies behind other windows is not shown, but could be while somebody moves a window: not to be
    // touched by registers that a map puts inside a window's page.
    enum class Part : std::uint8_t { elsewhere, hidden, shown };
    std::vector<Part> parts(map.spaces.size(), Part::elsewhere);
    read.plan.size_limit = 0;
    read.plan.legal_widths = 0;
    for (Index s = 0; s < map.spaces.size(); ++s) {
        const PlacedSpace& placed = layout.spaces[s];
        const bool windowed = map.spaces[s].window_select != none;
        if (placed.state != SpaceState::present || placed.config != read.config || placed.bar != read.bar) {
            continue;
        }
        if (windowed && s != read.window) {
            parts[s] = read.window == none ? Part::hidden : Part::elsewhere;
            continue;
        }
        parts[s] = Part::shown;
        read.plan.size_limit = std::max(read.plan.size_limit, end_of(placed.base, placed.size));
        read.plan.legal_widths =
            static_cast<std::uint8_t>(read.plan.legal_widths | map.spaces[s].legal_widths);
    }
    Guard guard(map, layout);
    for (const Instance& instance : layout.instances) {
        const Part part = parts[map.registers[instance.reg].space];
        if (part != Part::elsewhere) {
            guard.look_at(instance, part == Part::shown);
        }
    }
    if (guard.any_write_only()) {
        for (const Instance& instance : layout.instances) {
            if (parts[map.registers[instance.reg].space] == Part::shown) {
                guard.look_for_shared_bytes(instance);
            }
        }
    }
    guard.finish(read.plan);
}

} // namespace barscope::regmaps
