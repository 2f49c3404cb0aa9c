// Raw register words that identify: those that the map marks, and those that hold a known address's bytes.
#pragma once

#include <capture/capture.h>
#include <capture/recording.h>
#include <evidence/redact_known.h>

namespace barscope::tool {

// Of `pass`, which was read into `recorded`. Words of any width that overlap a marked register are redacted.
void redact_marked_words(const regmaps::RegisterMap& map, const Capture& pass, RecordedPass& recorded,
                         Pseudonyms& pseudonyms);

// Words as they lie in memory, little and big endian, searched for the bytes in either order.
void redact_known_words(RecordedPass& recorded, const KnownIdentities& known, Pseudonyms& pseudonyms);

} // namespace barscope::tool
