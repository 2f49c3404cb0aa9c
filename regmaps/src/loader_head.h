// The head of a map alone: what a catalogue needs to know of a file without loading all of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <regmaps/model.h>
#include <safety/error.h>

namespace barscope::regmaps {

struct MapHead {
    std::string name, title, version;
    std::vector<MatchRule> rules;
    std::vector<MatchTerm> terms;
    std::vector<MatchValue> values;
};

Result<MapHead> load_map_head(std::string_view text, std::string_view origin);

} // namespace barscope::regmaps
