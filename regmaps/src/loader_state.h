// What the loader's parts share: the documents, the tables under construction, the names, and the first
// error.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <safety/error.h>

#include "loader_symbols.h"
#include "loader_tables.h"
#include "tape.h"

namespace barscope::regmaps {

// A node of one of the documents: where an error is reported.
struct Place {
    std::uint32_t document = 0;
    NodeIndex node = no_node;
};

struct LoadedDocument {
    Tape tape;
    NodeIndex spaces = no_node, enums = no_node, blocks = no_node, registers = no_node, structures = no_node,
              derived = no_node, checks = no_node, logs = no_node, counters = no_node, driver_dumps = no_node;
    Index first_space = none;
};

// Which array indices and fields an expression may name where it stands.
struct ExpressionScope {
    Index block = none;      // innermost block whose index is in scope
    Index reg = none;        // register whose index is in scope
    Index structure = none;  // structure that the expression's field belongs to
    bool own_fields = false; // the fields of `reg` or `structure` may be named alone
};

struct PendingExpression { // to be compiled when all names are known
    Index expression = none;
    Place place;
    ExpressionScope scope;
};

// References from spaces to registers: resolved when the registers are known.
struct PendingSpace {
    Index space = none;
    std::uint32_t document = 0;
    NodeIndex select = no_node;         // window.select
    NodeIndex dump_registers = no_node; // ethtool.registers
};

struct PendingVariant {
    Index structure = none;
    Place place; // the `variant` object
};

struct LoadState {
    std::deque<LoadedDocument> documents; // own, then included ones
    Tables tables;
    SymbolTable symbols{tables};
    std::vector<PendingExpression> pending;
    std::vector<PendingSpace> pending_spaces;
    std::vector<PendingVariant> pending_variants;
    // Parallel to tables of the same name: where errors that are found later are reported.
    std::vector<Place> space_places, block_places, register_places, structure_places, expression_places;
    std::vector<std::pair<EnumValue, NodeIndex>> enum_scratch; // reused, as is the next
    std::vector<NodeIndex> field_names;
    Error error;

    // Both return false, so that a check can end with them. The first error stays.
    bool fail(Place place, std::string what, std::string remedy, std::string_view cause = "map-rule");
    bool fail_at(Place place, std::size_t offset, std::string what, std::string remedy,
                 std::string_view cause);
    // Adds a name; an error at `place` where it is taken. `kind` is what the error calls it.
    bool add_name(Index where, Text name, Symbol symbol, Place place, std::string_view kind);
};

inline constexpr std::size_t max_registers = 2'000'000;
inline constexpr std::size_t max_fields = 16'000'000;
inline constexpr std::uint64_t max_structure_size = 65'536;
inline constexpr std::uint64_t max_elements = 65'536;

} // namespace barscope::regmaps
