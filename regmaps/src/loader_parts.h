// The loader's parts, one for each kind of thing in a map. Each appends to the tables and returns false after
// reporting an error.
#pragma once

#include "loader_reader.h"

namespace barscope::regmaps {

// The head of a document: formatVersion, name, title, sources, match, include, and where its lists are.
bool load_head(Reader& reader, bool own, std::vector<NodeIndex>& includes);
bool load_match_rules(Reader& reader, NodeIndex list);

bool load_spaces(Reader& reader, NodeIndex list);
bool resolve_space_references(LoadState& state); // after the registers

bool load_enums(Reader& reader, NodeIndex object);
bool load_enum(Reader& reader, NodeIndex object, Text name, Index& out);
// The `enum` member of a field, register or derived value: a name or an inline one, whose values must fit
// `mask`.
bool load_enum_use(Reader& reader, NodeIndex node, std::uint64_t mask, Index& out);

bool load_registers(Reader& reader, NodeIndex registers, NodeIndex blocks); // either may be no_node

// Names outside of blocks that expressions use for something else are refused.
bool check_top_name(Reader& reader, NodeIndex node, Text name);

// The fields of the register that is about to become tables.registers[index]; `reg` has what they take over.
bool load_register_fields(Reader& reader, NodeIndex list, Index index, Register& reg,
                          const ExpressionScope& scope);
bool load_structures(Reader& reader, NodeIndex list);
bool resolve_variants(LoadState& state); // when all structures are known

bool load_derived(Reader& reader, NodeIndex list);
bool load_checks(Reader& reader, NodeIndex list);
bool load_logs(Reader& reader, NodeIndex list);
bool load_counters(Reader& reader, NodeIndex list);
bool load_driver_dumps(Reader& reader, NodeIndex list);

bool load_array(Reader& reader, NodeIndex node, const ExpressionScope& scope, Array& out);
// A register named in a member, such as `producer`: NAME or BLOCK.NAME, not an array.
bool find_register(Reader& reader, NodeIndex node, std::string_view path, Index& out); // errors at `node`
bool load_register_reference(Reader& reader, NodeIndex node, Index& out);

// Compiles what is pending, now that every name is known.
bool compile_expressions(LoadState& state);

constexpr std::uint64_t mask_of(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
}

} // namespace barscope::regmaps
