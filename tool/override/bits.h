// What a write does to each bit of a register, by its map.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include <regmaps/model.h>

namespace barscope::tool {

// What one bit is, where a field covers it; otherwise what the register says of itself.
struct BitRole {
    regmaps::Index field = regmaps::none; // none: the register has no fields, or none covers it
    regmaps::Access access = regmaps::Access::read_write;
    regmaps::ModifiedWrite modified = regmaps::ModifiedWrite::plain;
    regmaps::Volatility volatility = regmaps::Volatility::status;
    bool writable = true;
    bool unsure = false; // two fields that differ cover it, or nobody knows whether its field applies
};

// Whether a field's `when` holds; nothing: it cannot be decided.
using FieldApplies = std::function<std::optional<bool>(regmaps::Index field)>;

class RegisterBits {
  public:
    // `meant`: a field that takes its bits whatever else covers them; none: the register as a whole.
    RegisterBits(const regmaps::RegisterMap& map, const regmaps::Register& reg, const FieldApplies& applies,
                 regmaps::Index meant);

    unsigned width() const { return width_; }
    const BitRole& operator[](unsigned bit) const { return roles_[bit]; }
    // The bits for which this holds.
    std::uint64_t mask(const std::function<bool(const BitRole&)>& holds) const;

  private:
    void cover(const regmaps::RegisterMap& map, regmaps::Index field, bool certain);

    unsigned width_;
    std::array<BitRole, 64> roles_{};
};

// A 1, or a 0, acts on such a bit; the other value leaves it alone.
bool one_acts(regmaps::ModifiedWrite modified);
bool zero_acts(regmaps::ModifiedWrite modified);
// Any write changes it, whatever is written.
bool any_write_acts(regmaps::ModifiedWrite modified);
// Changes by itself so often that two reads say nothing.
bool runs_by_itself(regmaps::Volatility volatility);
bool writable(regmaps::Access access);

std::uint64_t ones(unsigned bits); // 0 to 64
std::uint64_t field_mask(const regmaps::Field& field);

} // namespace barscope::tool
