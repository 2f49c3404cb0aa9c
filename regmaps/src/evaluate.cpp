#include <regmaps/evaluate.h>

#include "decode_values.h"

namespace barscope::regmaps {

std::optional<std::uint64_t> evaluate(const RegisterMap& map, const Layout& layout, const RawWords& raw,
                                      const PciIdentity& pci, Index expression) {
    DecodeValues values(map, layout, raw, pci);
    DecodeScope scope(values);
    return values.evaluate_here(expression, scope);
}

struct Evaluator::State {
    DecodeValues values;
    DecodeScope scope;

    State(const RegisterMap& map, const Layout& layout, const RawWords& raw, const PciIdentity& pci)
        : values(map, layout, raw, pci), scope(values) {}
};

Evaluator::Evaluator(const RegisterMap& map, const Layout& layout, const RawWords& raw,
                     const PciIdentity& pci)
    : state_(std::make_unique<State>(map, layout, raw, pci)) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

std::optional<std::uint64_t> Evaluator::evaluate(Index expression, const Instance& instance,
                                                 std::uint64_t value) {
    state_->scope.stand_in(instance, value);
    return state_->values.evaluate_here(expression, state_->scope);
}

} // namespace barscope::regmaps
