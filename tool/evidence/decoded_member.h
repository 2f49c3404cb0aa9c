// The member `decoded` of a snapshot: for people and for jq; it can always be made again from the map and the
// words.
#pragma once

#include <string>

#include <capture/capture.h>

namespace barscope::tool {

// {"derived": [{"name", "text", "value"}], "pass": N,
//  "registers": [{"enum", "fields": {"NAME": "text"}, "name", "severity", "status", "value"}]}
std::string decoded_member(const regmaps::RegisterMap& map, const Capture& capture, std::size_t pass);

} // namespace barscope::tool
