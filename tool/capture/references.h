// What expressions look at, without a device: found by following them through derived values.
#pragma once

#include <vector>

#include <regmaps/model.h>

namespace barscope::tool {

class References {
  public:
    explicit References(const regmaps::RegisterMap& map);

    void visit(regmaps::Index expression);
    bool has(regmaps::Index reg) const { return registers_[reg]; }
    const std::vector<bool>& registers() const { return registers_; } // parallel to RegisterMap::registers
    const std::vector<bool>& spaces() const { return spaces_; }       // those of present(SPACE)
    const std::vector<bool>& counters() const { return counters_; }
    // Whether known(...) is asked: then a register that was not read decides about the result.
    bool asks_known() const { return asks_known_; }

  private:
    const regmaps::RegisterMap& map_;
    std::vector<bool> registers_, spaces_, counters_, derived_;
    bool asks_known_ = false;
};

// Whether an expression looks at an earlier pass.
class Comparisons {
  public:
    explicit Comparisons(const regmaps::RegisterMap& map);

    bool in(regmaps::Index expression);

  private:
    bool in_derived(regmaps::Index derived);

    const regmaps::RegisterMap& map_;
    std::vector<bool> seen_; // under way: the loader refuses cycles, and this one would not end on one
};

} // namespace barscope::tool
