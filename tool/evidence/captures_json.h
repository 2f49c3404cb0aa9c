// The member `captures` of a snapshot: passes, in each the sources and blocks of words at one distance from
// each other, as compact hex text. docs/snapshot.md.
#pragma once

#include <string>
#include <string_view>

#include <capture/recording.h>

namespace barscope::tool {

void append_captures(std::string& out, const Recording& recording); // canonical but for line breaks

// Wrong types, lengths that do not fit, words twice or out of order are errors that say where.
Result<Recording> parse_captures(std::string_view text, const std::string& where);

} // namespace barscope::tool
