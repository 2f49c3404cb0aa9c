#include <evidence/matching.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::Instance;
using regmaps::none;

using Instances = std::vector<Instance>;

bool same_register(const Instance& a, const Instance& b) {
    return a.reg == b.reg && a.index == b.index;
}

// Positions by register and index.
std::vector<Index> sorted(const Instances& instances) {
    std::vector<Index> order(instances.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        return std::tie(instances[a].reg, instances[a].index) <
               std::tie(instances[b].reg, instances[b].index);
    });
    return order;
}

// partner[i]: of position i of `after` in `before`.
std::vector<Index> partners_by_register(const Instances& before, const Instances& after) {
    std::vector<Index> partner(after.size(), none);
    const std::vector<Index> left = sorted(before);
    const std::vector<Index> right = sorted(after);
    std::size_t i = 0;
    for (const Index position : right) {
        const Instance& wanted = after[position];
        const auto comes_before = [&](const Instance& other) {
            return std::tie(other.reg, other.index) < std::tie(wanted.reg, wanted.index);
        };
        while (i < left.size() && comes_before(before[left[i]])) {
            ++i;
        }
        if (i < left.size() && same_register(before[left[i]], wanted)) {
            partner[position] = left[i++];
        }
    }
    return partner;
}

std::string full_name(const Decoding& decoding, const Instance& instance) {
    const regmaps::RegisterMap& map = decoding.map;
    std::string name(map.text(map.spaces[map.registers[instance.reg].space].name));
    name += '\n';
    regmaps::append_instance_name(map, instance, name);
    return name;
}

std::string place(const Decoding& decoding, const Instance& instance) {
    const regmaps::Register& reg = decoding.map.registers[instance.reg];
    const regmaps::PlacedSpace& space = decoding.capture.layout.spaces[reg.space];
    // Behind a window the same place is another register in each.
    const std::string window = space.window_select ? full_name(decoding, instance) : std::string();
    return (space.config ? "config " : "bar" + std::to_string(space.bar) + " ") +
           std::to_string(instance.offset) + " " + std::to_string(reg.width) + window;
}

using KeyOf = std::string (*)(const Decoding&, const Instance&);

// Finds partners for those that have none yet.
void add_partners(const Decoding& before, const Decoding& after, KeyOf key, std::vector<bool>& taken,
                  std::vector<Index>& partner) {
    std::unordered_map<std::string, Index> by_key;
    const Instances& left = before.capture.raw.instances;
    const Instances& right = after.capture.raw.instances;
    for (Index i = 0; i < left.size(); ++i) {
        if (!taken[i]) {
            by_key.emplace(key(before, left[i]), i);
        }
    }
    for (Index i = 0; i < right.size() && !by_key.empty(); ++i) {
        const auto found = partner[i] == none ? by_key.find(key(after, right[i])) : by_key.end();
        if (found != by_key.end()) {
            partner[i] = found->second;
            taken[found->second] = true;
            by_key.erase(found);
        }
    }
}

std::vector<Index> partners_by_name(const Decoding& before, const Decoding& after) {
    std::vector<Index> partner(after.capture.raw.instances.size(), none);
    std::vector<bool> taken(before.capture.raw.instances.size());
    add_partners(before, after, full_name, taken, partner);
    add_partners(before, after, place, taken, partner);
    return partner;
}

bool same_order(const Instances& before, const Instances& after) {
    return std::equal(before.begin(), before.end(), after.begin(), after.end(), same_register);
}

} // namespace

bool same_tables(const regmaps::RegisterMap& a, const regmaps::RegisterMap& b) {
    return a.registers.data() == b.registers.data() && a.fields.data() == b.fields.data();
}

std::vector<Pair> match_registers(const Decoding& before, const Decoding& after, bool same_map) {
    const Instances& left = before.capture.raw.instances;
    const Instances& right = after.capture.raw.instances;
    std::vector<Pair> pairs(right.size());
    if (same_map && same_order(left, right)) {
        for (Index i = 0; i < pairs.size(); ++i) {
            pairs[i] = {i, i};
        }
        return pairs;
    }
    const std::vector<Index> partner =
        same_map ? partners_by_register(left, right) : partners_by_name(before, after);
    std::vector<bool> taken(left.size());
    for (Index i = 0; i < pairs.size(); ++i) {
        pairs[i] = {partner[i], i};
        if (partner[i] != none) {
            taken[partner[i]] = true;
        }
    }
    for (Index i = 0; i < left.size(); ++i) {
        if (!taken[i]) {
            pairs.push_back({i, none});
        }
    }
    return pairs;
}

} // namespace barscope::tool
