// One field, of a register or of a structure.
#pragma once

#include "loader_parts.h"

namespace barscope::regmaps {

struct FieldNodes {
    NodeIndex name = no_node, bits = no_node, enumeration = no_node, access = no_node, display = no_node,
              scale = no_node, offset = no_node, severity = no_node, modulus = no_node, when = no_node,
              at = no_node, width = no_node, bytes = no_node, sensitive = no_node;
};

// One field's members; what it lies in is judged by whoever calls.
class FieldLoader {
  public:
    FieldLoader(Reader& reader, NodeIndex node, const Field& defaults, const ExpressionScope& scope)
        : field(defaults), reader_(reader), node_(node), scope_(scope) {}

    bool load(const ObjectShape& shape);
    // "15:8" or "3", within a word of `field.width` bits.
    bool load_bits();
    // Values that must fit the field's bits.
    bool load_values();
    Field field;
    FieldNodes nodes;

  private:
    bool load_member(Key key, NodeIndex value);
    bool load_text_or_later(Key key, NodeIndex value);
    static bool later(NodeIndex& slot, NodeIndex value);
    // Decimal without a sign; bits are not written in hex.
    static bool is_plain(std::string_view text, std::uint64_t& out);
    bool set_bits(std::uint64_t high, std::uint64_t low);
    bool check_scale();
    bool load_severities(std::uint64_t mask);
    static constexpr std::uint32_t max_severities = 256;

    Reader& reader_;
    NodeIndex node_;
    const ExpressionScope& scope_;
};

// Refuses a second field of the same name among tables.fields from `begin` on.
bool check_field_names(Reader& reader, Index begin, const std::vector<NodeIndex>& name_nodes);

} // namespace barscope::regmaps
