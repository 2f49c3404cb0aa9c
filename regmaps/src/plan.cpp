// From instances to loads: each distinct word once, and what must not be touched on the way.
#include "plan_guard.h"

#include <algorithm>
#include <tuple>

namespace barscope::regmaps {

namespace {

// Words are the same where one load serves both registers.
auto word_key(const safety::WordRequest& w) {
    return std::make_tuple(w.offset, w.width, w.order, w.split);
}

safety::WordRequest request(const Register& reg, std::uint64_t offset) {
    return {offset, reg.width, reg.read_action, reg.split, reg.order};
}

// Sorts the words where that is needed, drops repeated ones, and points word_of at what is left.
void settle_words(PlannedRead& read) {
    auto& words = read.plan.words;
    const auto sooner = [](const safety::WordRequest& a, const safety::WordRequest& b) {
        return word_key(a) < word_key(b);
    };
    const bool distinct = std::adjacent_find(words.begin(), words.end(), [&](const auto& a, const auto& b) {
                              return !sooner(a, b);
                          }) == words.end();
    if (distinct) {
        return;
    }
    std::vector<Index> order(words.size());
    for (Index i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return sooner(words[a], words[b]); });
    std::vector<safety::WordRequest> settled;
    settled.reserve(words.size());
    std::vector<Index> moved(words.size());
    for (const Index i : order) {
        if (settled.empty() || sooner(settled.back(), words[i])) {
            settled.push_back(words[i]);
        }
        moved[i] = static_cast<Index>(settled.size() - 1);
    }
    for (Index& w : read.word_of) {
        w = w == none ? none : moved[w];
    }
    words = std::move(settled);
}

class Planner {
  public:
    Planner(const RegisterMap& map, const Layout& layout, std::size_t expected)
        : map_(map), layout_(layout), expected_(expected), read_of_space_(map.spaces.size(), none) {}

    void add(const Instance& instance, Index position) {
        const Register& reg = map_.registers[instance.reg];
        PlannedRead& read = read_for(reg.space);
        const safety::WordStatus status = loadable(map_, layout_, instance);
        read.instances.push_back(position);
        read.refused.push_back(status);
        if (status == safety::WordStatus::ok) {
            read.word_of.push_back(static_cast<Index>(read.plan.words.size()));
            read.plan.words.push_back(request(reg, instance.offset));
        } else {
            read.word_of.push_back(none);
        }
    }

    std::vector<PlannedRead> finish() {
        for (PlannedRead& read : reads_) {
            settle_words(read);
            guard_plan(map_, layout_, read);
        }
        return std::move(reads_);
    }

  private:
    PlannedRead& read_for(Index space) {
        if (read_of_space_[space] == none) {
            const PlacedSpace& placed = layout_.spaces[space];
            const Index window = map_.spaces[space].window_select == none ? none : space;
            const auto same = [&](const PlannedRead& r) {
                return r.config == placed.config && r.bar == placed.bar && r.window == window;
            };
            const auto found = std::find_if(reads_.begin(), reads_.end(), same);
            read_of_space_[space] = static_cast<Index>(found - reads_.begin());
            if (found == reads_.end()) {
                PlannedRead fresh;
                fresh.config = placed.config;
                fresh.bar = placed.bar;
                fresh.window = window;
                if (reads_.empty()) {
                    fresh.instances.reserve(expected_);
                    fresh.word_of.reserve(expected_);
                    fresh.refused.reserve(expected_);
                    fresh.plan.words.reserve(expected_);
                }
                reads_.push_back(std::move(fresh));
            }
        }
        return reads_[read_of_space_[space]];
    }

    const RegisterMap& map_;
    const Layout& layout_;
    std::size_t expected_;
    std::vector<Index> read_of_space_;
    std::vector<PlannedRead> reads_;
};

} // namespace

std::vector<PlannedRead> plan_reads(const RegisterMap& map, const Layout& layout,
                                    const std::vector<Index>& wanted) {
    Planner planner(map, layout, wanted.size());
    for (const Index i : wanted) {
        planner.add(layout.instances[i], i);
    }
    return planner.finish();
}

std::vector<PlannedRead> plan_instances(const RegisterMap& map, const Layout& layout,
                                        const std::vector<Instance>& wanted) {
    Planner planner(map, layout, wanted.size());
    for (Index i = 0; i < wanted.size(); ++i) {
        planner.add(wanted[i], i);
    }
    return planner.finish();
}

} // namespace barscope::regmaps
