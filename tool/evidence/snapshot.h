// A snapshot document in memory: docs/snapshot.md and docs/snapshot.schema.json have its form.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <capture/capture.h>
#include <capture/recording.h>
#include <regmaps/catalog.h>
#include <regmaps/parameters.h>

namespace barscope::tool {

inline constexpr unsigned snapshot_format_version = 1;
inline constexpr std::string_view snapshot_format = "barscope-snapshot";

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

// What everybody who looks at the snapshot must know; empty: it is as it was written.
std::string integrity_warning(const Integrity& integrity);

struct Snapshot {
    std::string path; // of the file
    // Members other than captures, decoded and map, by name: "created", "label", "host", "device", "checks",
    // "logs", "context", "tool".
    std::shared_ptr<const nlohmann::json> head;
    Recording recording;
    regmaps::PciIdentity pci;
    std::string map_name, map_version, map_sha256, map_origin;
    std::vector<regmaps::Parameter> parameters; // of the map, as given when the snapshot was made
    std::vector<EmbeddedMap> maps;              // the first is the map itself; empty: none fitted the device
    std::string_view map_text;                  // the member "map" as it stands in the file
    std::string map_hash;                       // of its content
    std::shared_ptr<const std::string> bytes;   // keeps texts alive
    Integrity integrity;
    bool as_written = false; // nobody laid it out anew either
};

struct OpenOptions {
    // An opened snapshot; where the new one's map is the same byte for byte, its hash is not computed again.
    const Snapshot* same_map = nullptr;
    // All of it must be JSON, also what is not needed and was not changed since it was written.
    bool strict = false;
    // Called before the hashes are computed with a snapshot that has the map's part alone, so that the map
    // can be loaded meanwhile. What comes of it counts only if the snapshot turns out to be `as_written`.
    std::function<void(const Snapshot& guess)> on_map = {};
};

Result<Snapshot> open_snapshot(const std::string& path, const OpenOptions& options = {});
// The same from bytes; `path` names them in errors.
Result<Snapshot> parse_snapshot(std::string bytes, const std::string& path, const OpenOptions& options = {});
// Whether the file's first bytes may be those of a snapshot, plain or compressed.
bool looks_like_snapshot(std::string_view beginning);
bool is_snapshot_file(
    const std::string& path); // the same of a regular file's beginning; false where it has none

// The same where other JSON may stand in a file as well: a snapshot says that it is one in its first MiB.
bool holds_snapshot(const std::string& path);

// The embedded map with its parameters, ready to decode with.
Result<regmaps::RegisterMap> embedded_map(const Snapshot& snapshot);

// One pass decoded with a map: the same values as on the live device. `before`: the pass that comparisons
// refer to.
Result<Capture> replay(const Snapshot& snapshot, const regmaps::RegisterMap& map, std::size_t pass,
                       const Capture* before = nullptr);
// All passes, the last one decoded and of those before it the words only.
Result<std::vector<Capture>> replay_all(const Snapshot& snapshot, const regmaps::RegisterMap& map);

// For commands that read devices: the snapshot in a device's place. `map`: a map's name or file instead of
// the embedded one; empty: that one.
Result<Subject> subject_of(std::shared_ptr<const Snapshot> snapshot, const safety::SystemRoot& root,
                           const std::string& root_path, const SubjectOptions& options);

} // namespace barscope::tool
