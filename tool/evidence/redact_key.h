// The key of pseudonyms: bytes of a file that the user keeps, or random ones of this run.
#pragma once

#include <string>

#include <safety/error.h>

namespace barscope::tool {

inline constexpr std::size_t shortest_redaction_key = 16; // bytes

struct RedactionKey {
    std::string bytes;
    bool keyed = false; // of a file: other snapshots that were redacted with it have the same pseudonyms
};

// Empty path: a random key, which nobody can know again.
Result<RedactionKey> redaction_key(const std::string& path);

} // namespace barscope::tool
