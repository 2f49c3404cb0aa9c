// What a register's place, a space's, a block's and a derived value depend on must not lead back to itself.
#include <algorithm>

#include <fmt/format.h>

#include "loader_state.h"
#include "rules.h"
#include "rules_footprint.h"

namespace barscope::regmaps {

namespace {

class Dependence {
  public:
    explicit Dependence(LoadState& state)
        : state_(state), tables_(state.tables), first_block_(count(tables_.registers)),
          first_space_(first_block_ + count(tables_.blocks)),
          first_derived_(first_space_ + count(tables_.spaces)),
          lengths_(first_derived_ + count(tables_.derived), unknown) {}

    bool check() {
        for (Index thing = 0; thing < lengths_.size(); ++thing) {
            if (length_of(thing) == failed) {
                return false;
            }
        }
        return true;
    }

  private:
    static constexpr std::uint8_t unknown = 0;
    static constexpr std::uint8_t open = 0xfe; // being followed
    static constexpr std::uint8_t failed = 0xff;
    static_assert(max_dependence < open);

    template <typename T>
    static Index count(const std::vector<T>& table) {
        return static_cast<Index>(table.size());
    }

    // The longest chain of dependence from a thing on, itself included.
    std::uint8_t length_of(Index thing) {
        if (lengths_[thing] == open) {
            return fail_cycle(thing);
        }
        if (lengths_[thing] != unknown) {
            return lengths_[thing];
        }
        if (way_.size() > max_dependence) {
            return fail_long();
        }
        lengths_[thing] = open;
        way_.push_back(thing);
        longest_.push_back(0);
        const bool ok = follow(thing);
        const auto length = static_cast<std::uint8_t>(longest_.back() + 1U);
        way_.pop_back();
        longest_.pop_back();
        lengths_[thing] = ok ? length : failed;
        return lengths_[thing];
    }

    bool follow(Index thing) {
        if (thing < first_block_) {
            const Register& reg = tables_.registers[thing];
            return visit(first_space_ + reg.space) &&
                   (reg.block == none || visit(first_block_ + reg.block)) && visit_expression(reg.when) &&
                   visit_array(reg.array);
        }
        if (thing < first_space_) {
            const Block& block = tables_.blocks[thing - first_block_];
            return (block.parent == none || visit(first_block_ + block.parent)) &&
                   visit_expression(block.base) && visit_expression(block.when) && visit_array(block.array);
        }
        if (thing < first_derived_) {
            const Space& space = tables_.spaces[thing - first_space_];
            return visit_expression(space.bar) && visit_expression(space.base) &&
                   visit_expression(space.size) && visit_expression(space.when) &&
                   visit_expression(space.window_value) &&
                   (space.window_select == none || visit(space.window_select));
        }
        const Derived& derived = tables_.derived[thing - first_derived_];
        return visit_expression(derived.value) && visit_expression(derived.when);
    }

    bool visit(Index thing) {
        const std::uint8_t length = length_of(thing);
        longest_.back() = std::max(longest_.back(), length);
        return length != failed;
    }

    bool visit_array(const Array& array) {
        return visit_expression(array.count) && visit_expression(array.stride);
    }

    bool visit_expression(Index expression) {
        if (expression == none) {
            return true;
        }
        const Range code = tables_.expressions[expression].code;
        if (code.count < 2 && tables_.codes[code.begin].op == Op::push) {
            return true;
        }
        const Index around = expression_;
        expression_ = expression;
        bool ok = true;
        for (Index i = code.begin; ok && i < code.begin + code.count; ++i) {
            ok = visit_code(tables_.codes[i]);
        }
        expression_ = around;
        return ok;
    }

    bool visit_code(const Code& code) {
        switch (code.op) {
        case Op::reg:
            return visit(code.ref);
        case Op::field:
            return visit(tables_.fields[code.ref].owner);
        case Op::derived:
            return visit(first_derived_ + code.ref);
        case Op::present:
            return visit(first_space_ + code.ref);
        default:
            return true;
        }
    }

    std::string name_of(Index thing) const {
        if (thing < first_block_) {
            return path_of(tables_, tables_.registers[thing]);
        }
        if (thing < first_space_) {
            return fmt::format("block {}", tables_.text(tables_.blocks[thing - first_block_].name));
        }
        if (thing < first_derived_) {
            return fmt::format("space {}", tables_.text(tables_.spaces[thing - first_space_].name));
        }
        return std::string(tables_.text(tables_.derived[thing - first_derived_].name));
    }

    std::uint8_t fail_cycle(Index thing) {
        std::string way;
        for (auto it = std::find(way_.begin(), way_.end(), thing); it != way_.end(); ++it) {
            way += name_of(*it) + " -> ";
        }
        return fail(fmt::format("{} depends on itself: {}{}", name_of(thing), way, name_of(thing)),
                    "remove one of these references");
    }

    std::uint8_t fail_long() {
        return fail(fmt::format("a chain of more than {} values that depend on one another", max_dependence),
                    "shorten it");
    }

    // Only expressions (and a window's select register) lead from one thing to a later one, so that the last
    // one that was followed is part of every cycle.
    std::uint8_t fail(std::string what, std::string remedy) {
        const Place place = expression_ != none ? state_.expression_places[expression_] : select_place();
        state_.fail(place, std::move(what), std::move(remedy), "map-cycle");
        return failed;
    }

    // A cycle without any expression: a window whose select register lies in the window itself.
    Place select_place() const {
        for (auto it = way_.rbegin(); it != way_.rend(); ++it) {
            if (*it >= first_space_ && *it < first_derived_) {
                return state_.space_places[*it - first_space_];
            }
        }
        return state_.space_places.front();
    }

    LoadState& state_;
    const Tables& tables_;
    // Registers, blocks, spaces and derived values in one numbering.
    Index first_block_, first_space_, first_derived_;
    std::vector<std::uint8_t> lengths_;
    std::vector<Index> way_;
    std::vector<std::uint8_t> longest_; // parallel to way_
    Index expression_ = none;           // the innermost one that is being followed
};

} // namespace

bool check_cycles(LoadState& state) {
    return Dependence(state).check();
}

} // namespace barscope::regmaps
