// A snapshot document in memory: docs/snapshot.md and docs/snapshot.schema.json have its form.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <capture/capture.h>
#include <evidence/recording.h>
#include <regmaps/catalog.h>

namespace barscope::tool {

inline constexpr unsigned snapshot_format_version = 1;

// Whether the document is as it was written. `changed`: the members whose content is not what their hash
// says.
enum class IntegrityState { intact, changed, absent };
struct Integrity {
    IntegrityState state = IntegrityState::absent;
    std::vector<std::string> changed;
    std::string digest; // of the document, as recorded
};

// One of the files that make up the embedded map: the map itself and what it includes.
struct EmbeddedMap {
    std::string name;
    std::string_view text; // JSON
};

struct Snapshot {
    std::string path; // of the file
    // Members other than captures, decoded and map, by name: "created", "label", "host", "device", "checks",
    // "logs", "context", "tool". Their form is checked when the snapshot is opened.
    std::shared_ptr<const nlohmann::json> head;
    Recording recording;
    regmaps::PciIdentity pci;
    std::string map_name, map_version, map_sha256, map_origin;
    std::vector<EmbeddedMap> maps;            // the first is the map itself
    std::shared_ptr<const std::string> bytes; // keeps texts alive
    Integrity integrity;
};

// `known`: an opened snapshot whose map may be shared where it is the same byte for byte; may be null.
Result<Snapshot> open_snapshot(const std::string& path);
// Whether the bytes are those of a snapshot (or of a compressed one), to be asked before anything else is
// tried.
bool looks_like_snapshot(std::string_view beginning);

// The embedded map, ready to decode with.
Result<regmaps::RegisterMap> embedded_map(const Snapshot& snapshot);

// One pass decoded with a map: the same values as on the live device. `before`: the pass that comparisons
// refer to.
Result<Capture> replay(const Snapshot& snapshot, const regmaps::RegisterMap& map, unsigned pass,
                       const Capture* before = nullptr);

} // namespace barscope::tool
