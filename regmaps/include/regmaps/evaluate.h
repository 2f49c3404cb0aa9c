// An expression of a map, from what was read in a pass.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <regmaps/decode.h>

namespace barscope::regmaps {

// `expression`: into RegisterMap::expressions. Nothing where something that it depends on was not read.
std::optional<std::uint64_t> evaluate(const RegisterMap& map, const Layout& layout, const RawWords& raw,
                                      const PciIdentity& pci, Index expression);

// The same for many expressions over one pass. All that it is given must outlive it.
class Evaluator {
  public:
    Evaluator(const RegisterMap& map, const Layout& layout, const RawWords& raw, const PciIdentity& pci);
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) noexcept;

    // Where the expression belongs to a register or its field: array indices and own fields are those of
    // `instance`, which holds `value`.
    std::optional<std::uint64_t> evaluate(Index expression, const Instance& instance, std::uint64_t value);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace barscope::regmaps
