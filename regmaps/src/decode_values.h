// Values that were read, found again by register and index, and the derived values made of them.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expression_eval.h"
#include <regmaps/decode.h>

namespace barscope::regmaps {

class DecodeValues {
  public:
    DecodeValues(const RegisterMap& map, const Layout& layout, const RawWords& raw, const PciIdentity& pci);

    const RegisterMap& map() const { return map_; }
    // The values of the pass before, where there was one.
    DecodeValues* before() const { return before_; }
    void set_before(DecodeValues* before) { before_ = before; }
    std::optional<std::uint64_t> register_value(Index reg, const Indices& at);
    const DecodedValue& derived(Index index);
    std::optional<std::uint64_t> counter(Index index) const;
    std::optional<bool> space_present(Index space) const;
    std::optional<std::uint64_t> evaluate_here(Index expression, Scope& scope) const;

  private:
    void make_index();

    const RegisterMap& map_;
    const Layout& layout_;
    const RawWords& raw_;
    const PciIdentity& pci_;
    // Positions in raw_, grouped by register and ascending by index within one. Made when first needed: most
    // maps decode without looking from one register at another.
    std::vector<Index> first_of_; // registers.size() + 1
    std::vector<Index> positions_;
    enum class Progress : std::uint8_t { untouched, under_way, done };
    std::vector<Progress> progress_;
    std::vector<DecodedValue> derived_;
    unsigned depth_ = 0;
    DecodeValues* before_ = nullptr;
};

// Where an expression stands in a decode: nowhere in particular, or in a register's field.
class DecodeScope final : public Scope {
  public:
    explicit DecodeScope(DecodeValues& values, Inputs* inputs = nullptr);
    void stand_in(const Instance& instance, std::uint64_t value);

    std::optional<std::uint64_t> register_value(Index reg, const Indices& at) override;
    std::optional<std::uint64_t> field_value(Index field, const Indices& at) override;
    std::optional<std::uint64_t> derived_value(Index derived) override;
    std::optional<std::uint64_t> counter_value(Index counter) override;
    std::optional<bool> space_present(Index space) override;
    std::optional<std::uint64_t> array_index(unsigned level) override;
    std::optional<std::uint64_t> own_field(Index field) override;

  private:
    DecodeValues* values() const;
    void note(std::string name, std::optional<std::uint64_t> value);

    DecodeValues& values_;
    Inputs* inputs_;
    const Instance* instance_ = nullptr;
    std::uint64_t own_ = 0;
};

} // namespace barscope::regmaps
