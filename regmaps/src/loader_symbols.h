// Names and what they stand for, within the block or kind of thing that they must be unique in.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "expression_parser.h"
#include "loader_tables.h"

namespace barscope::regmaps {

// Where a name must be unique: a block's index, or one of these. Registers outside of blocks, blocks,
// counters and derived values share `top`, because expressions name them without saying which they are.
namespace scope {
inline constexpr Index top = none;
inline constexpr Index spaces = none - 1;
inline constexpr Index enums = none - 2;
inline constexpr Index structures = none - 3;
inline constexpr Index checks = none - 4;
inline constexpr Index logs = none - 5;
inline constexpr Index driver_dumps = none - 6;
} // namespace scope

// Open addressing; names stay in the text table.
class SymbolTable {
  public:
    explicit SymbolTable(const Tables& tables);

    // Nothing where the name is new; otherwise what it stands for already, and the table is as before.
    std::optional<Symbol> add(Index where, Text name, Symbol symbol);
    Symbol find(Index where, std::string_view name) const; // Symbol::Kind::nothing: there is none
    void reserve(std::size_t names);
    // All names of a scope, for suggestions. Slow.
    std::vector<std::string_view> names_in(Index where) const;

  private:
    struct Slot {
        Text name;
        Index where = 0;
        Index index = 0;
        std::uint32_t hash = 0; // 0: the slot is free
        Symbol::Kind kind = Symbol::Kind::nothing;
    };
    std::uint32_t hash(Index where, std::string_view name) const;
    std::size_t slot_of(std::uint32_t hash, Index where, std::string_view name) const;
    void grow(std::size_t size);

    const Tables& tables_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::uint64_t seed_;
};

} // namespace barscope::regmaps
