// Putting instances in order. Definitions are nearly always in order of offset, and arrays give one ascending
// run an element's register, so runs are merged rather than the whole sorted.
#include <algorithm>
#include <tuple>

#include "layout_placer.h"

namespace barscope::regmaps {

namespace {

bool before(const Instance& a, const Instance& b) {
    return std::tie(a.offset, a.reg, a.index) < std::tie(b.offset, b.reg, b.index);
}

} // namespace

void order_instances(std::vector<Instance>& instances, std::size_t begin, std::size_t end) {
    std::vector<std::size_t> runs{begin}; // where each ascending run begins, then the end
    for (std::size_t i = begin + 1; i < end; ++i) {
        if (before(instances[i], instances[i - 1])) {
            runs.push_back(i);
        }
    }
    if (runs.size() == 1) {
        return;
    }
    runs.push_back(end);
    const auto at = [](std::vector<Instance>& v, std::size_t i) {
        return v.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::vector<Instance> other(instances.begin() + static_cast<std::ptrdiff_t>(begin), at(instances, end));
    std::vector<Instance>* from = &other; // holds [begin, end) at 0
    std::vector<Instance> target(other.size());
    std::vector<Instance>* to = &target;
    while (runs.size() > 2) {
        std::vector<std::size_t> merged;
        merged.reserve(runs.size() / 2 + 2);
        for (std::size_t r = 0; r + 1 < runs.size(); r += 2) {
            const std::size_t first = runs[r] - begin;
            const std::size_t middle = runs[r + 1] - begin;
            const std::size_t last = r + 2 < runs.size() ? runs[r + 2] - begin : middle;
            std::merge(at(*from, first), at(*from, middle), at(*from, middle), at(*from, last),
                       at(*to, first), before);
            merged.push_back(runs[r]);
        }
        merged.push_back(end);
        runs = std::move(merged);
        std::swap(from, to);
    }
    std::copy(from->begin(), from->end(), at(instances, begin));
}

Index find_instance(const RegisterMap& map, const Layout& layout, const Instance& instance) {
    const Index space = map.registers[instance.reg].space;
    const auto sooner = [&](const Instance& a, const Instance& b) {
        const Index home = map.registers[a.reg].space;
        return home != space ? home < space : before(a, b);
    };
    const auto found = std::lower_bound(layout.instances.begin(), layout.instances.end(), instance, sooner);
    return found != layout.instances.end() && *found == instance
               ? static_cast<Index>(found - layout.instances.begin())
               : none;
}

} // namespace barscope::regmaps
