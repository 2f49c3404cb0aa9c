// JSON text (RFC 8259, UTF-8) to a tape, in one pass without recursion.
//
// Own code because of speed: nlohmann's event interface alone needs about four times as long for the same
// text, which is more than a map given on the command line may cost. What it accepts is compared with
// nlohmann's in the tests.
//
// Stricter than JSON: it refuses duplicate keys, keys of more than 256 bytes, numbers that a double cannot
// hold, and control characters other than tab and newline in texts, escaped or not, because texts of a map
// end up on terminals.
#pragma once

#include <string>
#include <string_view>

#include <safety/error.h>

#include "tape.h"

namespace barscope::regmaps {

inline constexpr std::size_t max_document_size = std::size_t{64} << 20;
inline constexpr std::size_t max_document_depth = 32;
inline constexpr std::size_t max_document_nodes = std::size_t{16} << 20;
inline constexpr std::size_t max_key_size = 256;

// The tape refers to `text`.
Result<Tape> scan_json(std::string_view text, std::string_view origin);

} // namespace barscope::regmaps
