#include <regmaps/evaluate.h>

#include "decode_values.h"

namespace barscope::regmaps {

std::optional<std::uint64_t> evaluate(const RegisterMap& map, const Layout& layout, const RawWords& raw,
                                      const PciIdentity& pci, Index expression) {
    DecodeValues values(map, layout, raw, pci);
    DecodeScope scope(values);
    return values.evaluate_here(expression, scope);
}

} // namespace barscope::regmaps
