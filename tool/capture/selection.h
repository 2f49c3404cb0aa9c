// Which of a layout's registers the user asked for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <capture/options.h>
#include <regmaps/layout.h>

namespace barscope::tool {

struct Selection {
    std::vector<regmaps::Index> instances; // into Layout::instances, ascending, each once
    std::vector<bool> held;                // parallel: to be read on request only, and not asked for
    std::vector<bool> named; // parallel: asked for by its very name, so that a refusal is a failure
    // Where NAME.FIELD was asked for: (into Layout::instances, into RegisterMap::fields), ascending. An
    // instance that is not here shows all its fields.
    std::vector<std::pair<regmaps::Index, regmaps::Index>> fields;
    // Asked for as a whole (no names): registers that could not be placed are then part of the answer.
    bool whole = false;
};

// `patterns` empty: everything; then the options' groups, spaces and blocks narrow it down.
Result<Selection> select_registers(const regmaps::RegisterMap& map, const regmaps::Layout& layout,
                                   const std::vector<std::string>& patterns, const CaptureOptions& options);

// What of a map select_registers() may choose, before anything is placed.
regmaps::Wanted wanted_registers(const regmaps::RegisterMap& map, const std::vector<std::string>& patterns,
                                 const CaptureOptions& options);

// The instances of the registers that the map's checks (of these groups; empty: all) look at.
Result<Selection> select_for_checks(const regmaps::RegisterMap& map, const regmaps::Layout& layout,
                                    const CaptureOptions& options);
// The instances of the registers that say where a log's ring is, how long it is, where it will
// go on, and whether the window in front of it shows it.
Selection select_for_log(const regmaps::RegisterMap& map, const regmaps::Layout& layout,
                         const regmaps::Log& log);
// The checks themselves: indices into RegisterMap::checks.
Result<std::vector<regmaps::Index>> checks_in_groups(const regmaps::RegisterMap& map,
                                                     const std::vector<std::string>& groups);

// What of a map these checks look at.
regmaps::Wanted wanted_by_checks(const regmaps::RegisterMap& map, const std::vector<regmaps::Index>& checks);

// Parallel to RegisterMap::checks: whether the check compares with an earlier pass.
std::vector<bool> checks_that_compare(const regmaps::RegisterMap& map);

} // namespace barscope::tool
