// Expression text -> Code (model.h says how that is evaluated). Knows the grammar; names are resolved by
// whoever calls.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <regmaps/model.h>

namespace barscope::regmaps {

inline constexpr std::size_t max_expression_text = 4096;

struct ExpressionError {
    std::size_t at = 0; // offset in the expression's text
    std::string what, remedy;
};

// What a name in an expression stands for.
struct Symbol {
    enum class Kind : std::uint8_t { nothing, reg, block, derived, counter, array_index, own_field };
    Kind kind = Kind::nothing;
    Index index = none; // of the register, block, ...; the level of an array index
};

// The names that an expression may use where it stands.
class ExpressionNames {
  public:
    virtual ~ExpressionNames() = default;
    virtual Symbol find(std::string_view name) const = 0;
    virtual Symbol find_in_block(Index block, std::string_view name) const = 0; // a register or a block
    virtual Index find_field(Index reg, std::string_view name) const = 0;       // none: no such field
    virtual Index find_space(std::string_view name) const = 0;                  // none: no such space
    virtual bool is_array(Symbol symbol) const = 0;                             // of a register or block
    // Names like `name`, as a remedy; `inside` is where it was looked for: nothing, a block, or a register's
    // fields.
    virtual std::string suggest(std::string_view name, Symbol inside) const = 0;
};

// Appends the code of `text` to `codes`; leaves it as it was on an error.
std::optional<ExpressionError> compile_expression(std::string_view text, const ExpressionNames& names,
                                                  std::vector<Code>& codes);

} // namespace barscope::regmaps
