// Evaluates compiled expressions. Pure: whatever an expression refers to is asked of a Scope.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <regmaps/catalog.h>
#include <regmaps/model.h>

namespace barscope::regmaps {

using Indices = std::array<std::uint32_t, max_indices>;

// What names mean where an expression stands. Nothing: unknown.
class Scope {
  public:
    virtual ~Scope() = default;
    virtual std::optional<std::uint64_t> register_value(Index reg, const Indices& at) = 0;
    // The same register, asked for one of its fields: overridden where the difference is to be told.
    virtual std::optional<std::uint64_t> field_value(Index field, const Indices& at);
    virtual std::optional<std::uint64_t> derived_value(Index derived) = 0;
    virtual std::optional<std::uint64_t> counter_value(Index) { return {}; }
    virtual std::optional<bool> space_present(Index space) = 0;
    virtual std::optional<std::uint64_t> array_index(unsigned level) = 0;
    virtual std::optional<std::uint64_t> own_field(Index field) = 0;
    virtual void divided_by_zero() {}
    // From now on, or no longer, names mean the values of the pass before. Nests: previous(previous(X)).
    virtual void look_back(bool begins) { passes_back_ += begins ? 1U : -1U; }

  protected:
    explicit Scope(const RegisterMap& map) : map_(map) {}
    Scope(const Scope&) = default;
    Scope& operator=(const Scope&) = delete;
    unsigned passes_back() const { return passes_back_; }
    const RegisterMap& map_;

  private:
    unsigned passes_back_ = 0;
};

std::optional<std::uint64_t> evaluate(const RegisterMap& map, const PciIdentity& pci, Index expression,
                                      Scope& scope);

// Whether the value can differ between the elements of an array, or with the record that is being decoded.
bool varies_by_element(const RegisterMap& map, Index expression);

} // namespace barscope::regmaps
