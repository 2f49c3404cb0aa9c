#include "loader_head.h"

#include "json_scanner.h"
#include "loader_parts.h"

namespace barscope::regmaps {

Result<MapHead> load_map_head(std::string_view text, std::string_view origin) {
    Result<Tape> tape = scan_json(text, origin);
    if (!tape) {
        return fail(std::move(tape.error()));
    }
    LoadState state;
    state.documents.emplace_back().tape = std::move(*tape);
    Reader reader(state, 0);
    std::vector<NodeIndex> includes;
    if (!load_head(reader, true, includes)) {
        return fail(std::move(state.error));
    }
    Tables& tables = state.tables;
    return MapHead{std::string(tables.text(tables.name)),
                   std::string(tables.text(tables.title)),
                   std::string(tables.text(tables.version)),
                   std::move(tables.match_rules),
                   std::move(tables.match_terms),
                   std::move(tables.match_values)};
}

} // namespace barscope::regmaps
