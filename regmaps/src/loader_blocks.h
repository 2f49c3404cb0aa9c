// What registers and blocks share.
#pragma once

#include "loader_parts.h"

namespace barscope::regmaps {

// What a register takes over from the blocks that it is in.
struct BlockContext {
    Index block = none;
    Index space = none;
    Range groups;
    unsigned arrays = 0;
};

// The `space` member of a register or block.
bool load_space_use(Reader& reader, NodeIndex node, Index& out);
// Own groups and those of the blocks around, as one range of the text list.
void join_groups(Tables& tables, Range& groups, Range outer);
bool load_register_list(Reader& reader, NodeIndex list, const BlockContext& context);

} // namespace barscope::regmaps
