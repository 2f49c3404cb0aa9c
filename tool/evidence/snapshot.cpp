#include <evidence/snapshot.h>

#include <algorithm>
#include <array>

#include <unistd.h>

#include <evidence/beside.h>
#include <evidence/canonical_json.h>
#include <evidence/captures_json.h>
#include <evidence/compression.h>
#include <evidence/document.h>
#include <evidence/json_fields.h>
#include <evidence/map_member.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

constexpr std::size_t largest_snapshot = std::size_t{1} << 30;

const JsonMember* find(const std::vector<JsonMember>& members, std::string_view key) {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const JsonMember& member) { return member.key == key; });
    return found == members.end() ? nullptr : &*found;
}

Result<void> check_format(const std::vector<JsonMember>& members, const std::string& path) {
    const JsonMember* format = find(members, "format");
    if (format == nullptr || format->text != "\"" + std::string(snapshot_format) + "\"") {
        return fail(bad_snapshot(path, "/format", "\"" + std::string(snapshot_format) + "\" is expected"));
    }
    const JsonMember* version = find(members, "formatVersion");
    if (version == nullptr) {
        return fail(bad_snapshot(path, "/formatVersion", "a whole number is expected"));
    }
    const nlohmann::json number = nlohmann::json::parse(version->text, nullptr, false);
    if (!number.is_number_unsigned() || number == 0U) {
        return fail(bad_snapshot(path, "/formatVersion", "a whole number is expected"));
    }
    if (number.get<std::uint64_t>() > snapshot_format_version) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "newer-format",
                     .what = "the snapshot's format is version " + std::string(version->text) +
                             ", newer than this barscope knows (" + std::to_string(snapshot_format_version) +
                             ")",
                     .where = path,
                     .remedy = "open it with the barscope that made it, or a newer one"});
    }
    return {};
}

Result<void> check_names(const std::vector<JsonMember>& members, const std::string& path) {
    for (const JsonMember& member : members) {
        if (find(members, member.key) != &member) {
            return fail(bad_snapshot(path, "/" + std::string(member.key), "the member stands there twice"));
        }
    }
    for (const char* name : {"device", "captures", "map"}) {
        if (find(members, name) == nullptr) {
            return fail(bad_snapshot(path, "", std::string("the member ") + name + " is missing"));
        }
    }
    return {};
}

std::string recorded_hash(const nlohmann::json& integrity, std::string_view name) {
    const auto members = integrity.find("members");
    if (members == integrity.end() || !members->is_object()) {
        return {};
    }
    const auto found = members->find(std::string(name));
    return found != members->end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Each member's content is hashed, which also is the check that all of the document is JSON.
class IntegrityCheck {
  public:
    // `as_written`: only what barscope wrote and nobody laid out anew is intact.
    IntegrityCheck(Snapshot& snapshot, const std::vector<JsonMember>& members, const Snapshot* same_map,
                   bool as_written)
        : snapshot_(snapshot), members_(members), same_map_(same_map), as_written_(as_written) {}

    Result<void> run() {
        const JsonMember* stated = find(members_, "integrity");
        const nlohmann::json integrity =
            stated == nullptr ? nlohmann::json() : nlohmann::json::parse(stated->text, nullptr, false);
        std::vector<std::pair<std::string, std::string>> hashes;
        for (const JsonMember& member : members_) {
            if (&member == stated) {
                continue;
            }
            auto hash = hash_of(member);
            if (!hash) {
                return fail(std::move(hash.error()));
            }
            if (integrity.is_object() && *hash != recorded_hash(integrity, member.key)) {
                snapshot_.integrity.changed.emplace_back(member.key);
            }
            hashes.emplace_back(member.key, std::move(*hash));
        }
        judge(integrity, std::move(hashes));
        return {};
    }

  private:
    Result<std::string> hash_of(const JsonMember& member) {
        const auto compute = [&]() -> Result<std::string> {
            return as_written_ ? hash_as_written(member.text) : member_hash(member.text, snapshot_.path);
        };
        if (member.key != "map") {
            return compute();
        }
        if (same_map_ != nullptr && same_map_->map_text == member.text) {
            snapshot_.map_hash = same_map_->map_hash;
            return snapshot_.map_hash;
        }
        auto hash = compute();
        snapshot_.map_hash = hash ? *hash : std::string();
        return hash;
    }

    void judge(const nlohmann::json& integrity, std::vector<std::pair<std::string, std::string>> hashes) {
        Integrity& result = snapshot_.integrity;
        if (!integrity.is_object()) {
            result.state = IntegrityState::absent;
            return;
        }
        const auto digest = integrity.find("digest");
        result.digest =
            digest != integrity.end() && digest->is_string() ? digest->get<std::string>() : std::string();
        const auto members = integrity.find("members");
        if (members != integrity.end() && members->is_object()) {
            for (const auto& [name, hash] : members->items()) {
                if (find(members_, name) == nullptr) {
                    result.changed.push_back(name + " (missing)");
                }
            }
        }
        if (result.changed.empty() && document_hash(std::move(hashes)) != result.digest) {
            result.changed.emplace_back("integrity");
        }
        result.state = result.changed.empty() ? IntegrityState::intact : IntegrityState::changed;
    }

    Snapshot& snapshot_;
    const std::vector<JsonMember>& members_;
    const Snapshot* same_map_;
    bool as_written_;
};

// Whether the members that were guessed are all there is, and each has the hash that the document states.
bool is_as_written(Snapshot& snapshot, const std::vector<JsonMember>& members, const Snapshot* same_map) {
    if (members.empty() || !check_names(members, snapshot.path)) {
        return false;
    }
    const auto checked = IntegrityCheck(snapshot, members, same_map, true).run();
    return checked.has_value() && snapshot.integrity.state == IntegrityState::intact;
}

// While the hashes are computed; what comes of it counts only if they are right.
Result<Recording> guessed_captures(const std::vector<JsonMember>& members, const std::string& path) {
    const JsonMember* captures = find(members, "captures");
    return captures == nullptr
               ? Result<Recording>(fail(bad_snapshot(path, "", "the member captures is missing")))
               : parse_captures(captures->text, path);
}

// The map as it seems to be.
void tell_map(const std::vector<JsonMember>& members, const Snapshot& snapshot, const OpenOptions& options) {
    const JsonMember* map = options.on_map ? find(members, "map") : nullptr;
    Snapshot guess;
    guess.path = snapshot.path;
    guess.bytes = snapshot.bytes;
    if (map != nullptr && read_map_member(map->text, true, guess)) {
        options.on_map(guess);
    }
}

Result<void> read_head(Snapshot& snapshot, const std::vector<JsonMember>& members) {
    nlohmann::json head = nlohmann::json::object();
    for (const JsonMember& member : members) {
        if (member.key != "captures" && member.key != "decoded" && member.key != "map" &&
            member.key != "integrity") {
            auto parsed = nlohmann::json::parse(member.text, nullptr, false);
            if (parsed.is_discarded()) {
                return fail(bad_snapshot(snapshot.path, "/" + std::string(member.key), "JSON is expected"));
            }
            head[std::string(member.key)] = std::move(parsed);
        }
    }
    JsonFields device(head["device"], "/device", snapshot.path);
    snapshot.pci = {.vendor = static_cast<std::uint16_t>(device.hex("vendor")),
                    .device = static_cast<std::uint16_t>(device.hex("device")),
                    .subsystem_vendor = static_cast<std::uint16_t>(device.hex("subsystemVendor")),
                    .subsystem_device = static_cast<std::uint16_t>(device.hex("subsystemDevice")),
                    .class_code = static_cast<std::uint32_t>(device.hex("class")),
                    .revision = static_cast<std::uint8_t>(device.hex("revision")),
                    .is_vf = !device.text_or("physicalFunction", "").empty()};
    if (device.error()) {
        return fail(*device.error());
    }
    for (const char* name : {"checks", "logs", "context"}) {
        if (head.contains(name) && !head[name].is_array()) {
            return fail(bad_snapshot(snapshot.path, std::string("/") + name, "an array is expected"));
        }
    }
    for (const char* name : {"created", "host", "tool"}) {
        if (head.contains(name) && !head[name].is_object()) {
            return fail(bad_snapshot(snapshot.path, std::string("/") + name, "an object is expected"));
        }
    }
    snapshot.head = std::make_shared<const nlohmann::json>(std::move(head));
    return {};
}

std::string text_at(const nlohmann::json& object, const char* member, const char* name) {
    const auto found = object.find(member);
    if (found == object.end() || !found->is_object()) {
        return {};
    }
    const auto text = found->find(name);
    return text != found->end() && text->is_string() ? text->get<std::string>() : std::string();
}

// The map's texts are the other's, and this document's own bytes are not needed any longer.
void share_map(Snapshot& snapshot, const Snapshot& other) {
    snapshot.map_name = other.map_name;
    snapshot.map_version = other.map_version;
    snapshot.map_sha256 = other.map_sha256;
    snapshot.map_origin = other.map_origin;
    snapshot.parameters = other.parameters;
    snapshot.maps = other.maps;
    snapshot.map_text = other.map_text;
    snapshot.map_hash = other.map_hash;
    snapshot.bytes = other.bytes;
}

Result<Selection> everything(const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
    return select_registers(map, layout, {}, {});
}

// A pass in which the device refused itself as a whole: no register has a place, and nothing a value.
Capture nothing_read(const Snapshot& snapshot, const regmaps::RegisterMap& map, const Error& refusal) {
    Capture capture;
    capture.layout.spaces.resize(map.spaces.size());
    for (regmaps::PlacedSpace& space : capture.layout.spaces) {
        space.state = regmaps::SpaceState::unknown;
        space.why = refusal.what;
    }
    capture.decoded = regmaps::decode(map, capture.layout, capture.raw, snapshot.pci);
    capture.undecided.resize(map.derived.size());
    capture.refusals.push_back(refusal);
    return capture;
}

} // namespace

std::string integrity_warning(const Integrity& integrity) {
    if (integrity.state == IntegrityState::intact) {
        return {};
    }
    if (integrity.state == IntegrityState::absent) {
        return "the snapshot has no hashes: nobody can tell whether it was edited";
    }
    std::string names;
    for (const std::string& name : integrity.changed) {
        names += (names.empty() ? "" : ", ") + name;
    }
    return "the snapshot was edited after it was written: " + names;
}

bool looks_like_snapshot(std::string_view beginning) {
    if (is_zstd(beginning)) {
        return true;
    }
    const std::size_t first = beginning.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && beginning[first] == '{';
}

bool is_snapshot_file(const std::string& path) {
    const auto fd = path == "-" ? std::nullopt : open_regular(path);
    if (!fd) {
        return false;
    }
    std::array<char, 64> beginning{};
    const ssize_t got = ::read(*fd, beginning.data(), beginning.size());
    ::close(*fd);
    return got > 0 && looks_like_snapshot({beginning.data(), static_cast<std::size_t>(got)});
}

bool holds_snapshot(const std::string& path) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const auto fd = is_snapshot_file(path) ? open_regular(path) : std::nullopt;
    if (!fd) {
        return false;
    }
    std::string beginning(most, '\0');
    const ssize_t got = ::read(*fd, beginning.data(), beginning.size());
    ::close(*fd);
    const std::string_view text =
        std::string_view(beginning).substr(0, got > 0 ? static_cast<std::size_t>(got) : 0);
    return is_zstd(text) || text.find("\"" + std::string(snapshot_format) + "\"") != std::string_view::npos;
}

Result<Snapshot> parse_snapshot(std::string bytes, const std::string& path, const OpenOptions& options) {
    const Snapshot* const same_map = options.same_map;
    Snapshot snapshot;
    snapshot.path = path;
    if (is_zstd(bytes)) {
        auto plain = decompress_zstd(bytes, largest_snapshot, path);
        if (!plain) {
            return fail(std::move(plain.error()));
        }
        bytes = std::move(*plain);
    }
    auto shared = std::make_shared<const std::string>(std::move(bytes));
    snapshot.bytes = shared;
    // Most snapshots are as they were written: then their lines say where members lie, and their hashes that
    // it is so.
    std::vector<JsonMember> members = options.strict ? std::vector<JsonMember>() : guess_members(*shared);
    tell_map(members, snapshot, options);
    Snapshot judged;
    judged.path = path;
    auto judging = beside([&] { return is_as_written(judged, members, same_map); });
    auto recording = guessed_captures(members, path);
    const bool as_written = snapshot.as_written = judging.get();
    if (as_written) {
        snapshot.integrity = std::move(judged.integrity);
        snapshot.map_hash = std::move(judged.map_hash);
    } else {
        auto split =
            split_members(*shared, path, same_map == nullptr ? std::string_view() : same_map->map_text);
        if (!split) {
            return fail(std::move(split.error()));
        }
        members = std::move(*split);
    }
    if (auto fitting = check_format(members, path); !fitting) {
        return fail(std::move(fitting.error()));
    }
    if (auto fitting = check_names(members, path); !fitting) {
        return fail(std::move(fitting.error()));
    }
    if (!as_written) {
        if (auto checked = IntegrityCheck(snapshot, members, same_map, false).run(); !checked) {
            return fail(std::move(checked.error()));
        }
    }
    if (auto head = read_head(snapshot, members); !head) {
        return fail(std::move(head.error()));
    }
    if (!as_written) {
        recording = parse_captures(find(members, "captures")->text, path);
    }
    if (!recording) {
        return fail(std::move(recording.error()));
    }
    snapshot.recording = std::move(*recording);
    if (const JsonMember* map = find(members, "map");
        same_map != nullptr && !same_map->maps.empty() && map->text == same_map->map_text) {
        share_map(snapshot, *same_map);
    } else if (map->text != "null") {
        if (auto read = read_map_member(map->text, as_written, snapshot); !read) {
            return fail(std::move(read.error()));
        }
    }
    return snapshot;
}

Result<Snapshot> open_snapshot(const std::string& path, const OpenOptions& options) {
    auto bytes = read_user_file(path, largest_snapshot);
    if (!bytes) {
        return fail(std::move(bytes.error()));
    }
    return parse_snapshot(std::move(*bytes), path, options);
}

namespace {

Result<Capture> replay_pass(const Snapshot& snapshot, const regmaps::RegisterMap& map, std::size_t pass,
                            const Capture* before, bool decode) {
    if (const auto& refusal = snapshot.recording.passes[pass].refusal) {
        return nothing_read(snapshot, map, *refusal);
    }
    Subject subject;
    subject.file = snapshot.path;
    subject.pci = snapshot.pci;
    subject.map = map;
    // The caller keeps the snapshot for longer than this call.
    subject.recording = std::shared_ptr<const Recording>(std::shared_ptr<void>(), &snapshot.recording);
    subject.dump_config = recorded_config(subject.recording, pass, snapshot.path);
    CaptureOptions options;
    options.decode = decode;
    return capture_recorded(subject, options, everything, pass, before);
}

} // namespace

Result<Capture> replay(const Snapshot& snapshot, const regmaps::RegisterMap& map, std::size_t pass,
                       const Capture* before) {
    return replay_pass(snapshot, map, pass, before, true);
}

Result<std::vector<Capture>> replay_all(const Snapshot& snapshot, const regmaps::RegisterMap& map) {
    std::vector<Capture> passes;
    const std::size_t count = snapshot.recording.passes.size();
    passes.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto pass = replay_pass(snapshot, map, i, i == 0 ? nullptr : &passes.front(), i + 1 == count);
        if (!pass) {
            return fail(std::move(pass.error()));
        }
        passes.push_back(std::move(*pass));
    }
    return passes;
}

Result<Subject> subject_of(std::shared_ptr<const Snapshot> snapshot, const safety::SystemRoot& root,
                           const std::string& root_path, const SubjectOptions& options) {
    Subject subject;
    subject.root = root;
    subject.root_path = root_path;
    subject.file = snapshot->path;
    subject.pci = snapshot->pci;
    subject.specific = true;
    const auto map =
        options.map.empty() ? embedded_map(*snapshot) : regmaps::Catalog(map_folders(root)).find(options.map);
    if (!map) {
        return fail(map.error());
    }
    auto complete = regmaps::with_parameters(*map, options.parameters);
    if (!complete) {
        return fail(std::move(complete.error()));
    }
    subject.map = std::move(*complete);
    subject.map.origin = options.map.empty() ? "in the snapshot" : subject.map.origin;
    const nlohmann::json& head = *snapshot->head;
    subject.recorded = {.address = text_at(head, "device", "address"),
                        .created = text_at(head, "created", "time"),
                        .driver = text_at(head.at("device"), "driver", "name"),
                        .integrity = integrity_warning(snapshot->integrity)};
    const Recording* recording = &snapshot->recording;
    subject.recording = std::shared_ptr<const Recording>(std::move(snapshot), recording);
    subject.dump_config = recorded_config(subject.recording, 0, subject.file);
    return subject;
}

} // namespace barscope::tool
