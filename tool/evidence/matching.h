// Which registers of two captures are the same ones.
#pragma once

#include <vector>

#include <capture/capture.h>

namespace barscope::tool {

// Positions in RawWords; none: the other capture alone has it.
struct Pair {
    regmaps::Index before = regmaps::none, after = regmaps::none;
    friend bool operator==(const Pair&, const Pair&) = default;
};

// A capture with the map that it was decoded with.
struct Decoding {
    const regmaps::RegisterMap& map;
    const Capture& capture;
};

// In the order of `after`, then what only `before` has, in its order. With one map for both by register and
// indices; else by name and space, and what is left by place and width.
std::vector<Pair> match_registers(const Decoding& before, const Decoding& after, bool same_map);

// Whether indices into the tables of one mean the same in the other.
bool same_tables(const regmaps::RegisterMap& a, const regmaps::RegisterMap& b);

} // namespace barscope::tool
