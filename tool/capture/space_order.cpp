#include <capture/space_order.h>

#include <algorithm>
#include <tuple>

namespace barscope::tool {

using regmaps::Index;

namespace {

// Parallel to the map's spaces: the place of each among all.
std::vector<Index> ranks(const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
    std::vector<Index> slots; // where the map has spaces in BARs
    for (Index space = 0; space < map.spaces.size(); ++space) {
        if (map.spaces[space].kind == regmaps::SpaceKind::bar) {
            slots.push_back(space);
        }
    }
    std::vector<Index> by_place = slots;
    std::stable_sort(by_place.begin(), by_place.end(), [&](Index a, Index b) {
        const regmaps::PlacedSpace& left = layout.spaces[a];
        const regmaps::PlacedSpace& right = layout.spaces[b];
        return std::tie(left.bar, left.base) < std::tie(right.bar, right.base);
    });
    std::vector<Index> rank(map.spaces.size());
    for (Index space = 0; space < rank.size(); ++space) {
        rank[space] = space;
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
        rank[by_place[i]] = slots[i];
    }
    return rank;
}

} // namespace

void order_by_space(const regmaps::RegisterMap& map, const regmaps::Layout& layout,
                    const std::vector<regmaps::Instance>& instances, std::vector<Index>& positions) {
    const std::vector<Index> rank = ranks(map, layout);
    const auto sooner = [&](Index a, Index b) {
        return rank[map.registers[instances[a].reg].space] < rank[map.registers[instances[b].reg].space];
    };
    if (!std::is_sorted(positions.begin(), positions.end(), sooner)) {
        std::stable_sort(positions.begin(), positions.end(), sooner);
    }
}

} // namespace barscope::tool
