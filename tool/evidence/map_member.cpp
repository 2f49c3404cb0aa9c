#include <evidence/map_member.h>

#include <algorithm>
#include <optional>

#include <evidence/canonical_json.h>
#include <evidence/json_fields.h>
#include <evidence/sha256.h>
#include <regmaps/loader.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

Error bad_map(const Snapshot& snapshot, const std::string& pointer, const std::string& what) {
    return bad_snapshot(snapshot.path, "/map" + pointer, what);
}

// [{"name": ..., "text": {...}}, ...]
Result<std::vector<EmbeddedMap>> read_files(std::string_view text, const Snapshot& snapshot) {
    const auto elements = split_elements(text, snapshot.path);
    if (!elements) {
        return fail(bad_map(snapshot, "/files", "an array is expected"));
    }
    std::vector<EmbeddedMap> files;
    for (const std::string_view element : *elements) {
        const auto members = split_members(element, snapshot.path);
        if (!members) {
            return fail(bad_map(snapshot, "/files", "objects are expected"));
        }
        EmbeddedMap file;
        for (const JsonMember& member : *members) {
            if (member.key == "name" && member.text.size() >= 2) {
                file.name = member.text.substr(1, member.text.size() - 2);
            } else if (member.key == "text") {
                file.text = member.text;
            }
        }
        if (file.name.empty() || file.text.empty()) {
            return fail(bad_map(snapshot, "/files", "each file has a name and a text"));
        }
        files.push_back(std::move(file));
    }
    return files;
}

// The files, which are large and have a loader of their own, and everything else as one object.
struct Parts {
    std::vector<EmbeddedMap> files;
    std::string small;
};

Result<Parts> by_structure(std::string_view text, const Snapshot& snapshot) {
    const auto members = split_members(text, snapshot.path);
    if (!members) {
        return fail(bad_map(snapshot, "", "an object is expected"));
    }
    Parts parts{{}, "{"};
    std::string_view files;
    for (const JsonMember& member : *members) {
        if (member.key == "files") {
            files = member.text;
        } else {
            parts.small += (parts.small.size() > 1 ? ",\"" : "\"") + std::string(member.key) + "\":";
            parts.small += member.text;
        }
    }
    parts.small += '}';
    auto list = read_files(files, snapshot);
    if (!list) {
        return fail(std::move(list.error()));
    }
    parts.files = std::move(*list);
    return parts;
}

// As map_member() writes it: each file is a line. The text's hash says that it is so; the loader looks at
// each file.
std::optional<Parts> by_lines(std::string_view text) {
    constexpr std::string_view begin = "{\"files\":[\n", name_begin = "{\"name\":\"",
                               name_end = "\",\"text\":";
    Parts parts;
    if (!text.starts_with(begin)) {
        return std::nullopt;
    }
    text.remove_prefix(begin.size());
    while (text.starts_with(name_begin)) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line.remove_suffix(line.ends_with(',') ? 1 : 0);
        const std::size_t behind = line.find(name_end);
        if (behind == std::string_view::npos || !line.ends_with('}')) {
            return std::nullopt;
        }
        EmbeddedMap file{std::string(line.substr(name_begin.size(), behind - name_begin.size())),
                         line.substr(behind + name_end.size())};
        file.text.remove_suffix(1);
        parts.files.push_back(std::move(file));
    }
    if (!text.starts_with("],")) {
        return std::nullopt;
    }
    parts.small = "{" + std::string(text.substr(2));
    return parts;
}

} // namespace

Result<std::string> map_member(const regmaps::Catalog& catalog, const std::string& name_or_path,
                               const regmaps::RegisterMap& map,
                               const std::vector<regmaps::Parameter>& parameters) {
    const auto files = catalog.source_files(name_or_path);
    if (!files) {
        return fail(files.error());
    }
    std::string list;
    JsonWriter json(list, JsonLayout::canonical);
    json.begin_array();
    for (const regmaps::Catalog::SourceFile& file : *files) {
        const auto canonical = canonical_json(file.text, file.name);
        if (!canonical) {
            return fail(canonical.error());
        }
        json.break_line();
        json.begin_object();
        json.member("name", file.name);
        json.key("text");
        json.json(*canonical);
        json.end_object();
    }
    list += '\n'; // so that each file is one line
    json.end_array();
    const auto hash = canonical_json(list, "map");
    if (!hash) {
        return fail(hash.error());
    }
    std::string text;
    JsonWriter out(text, JsonLayout::canonical);
    out.begin_object();
    out.key("files");
    out.json(list);
    out.member("name", map.name);
    out.member("origin", map.origin);
    out.key("parameters");
    out.begin_array();
    for (const regmaps::Parameter& parameter : parameters) {
        out.begin_object();
        out.member("name", parameter.name);
        out.member_hex("value", parameter.value);
        out.end_object();
    }
    out.end_array();
    out.member("sha256", sha256_hex(*hash));
    out.member("version", map.version);
    out.end_object();
    return text;
}

Result<void> read_map_member(std::string_view text, bool as_written, Snapshot& snapshot) {
    snapshot.map_text = text;
    auto parts = as_written ? by_lines(text) : std::nullopt;
    if (!parts) {
        auto split = by_structure(text, snapshot);
        if (!split) {
            return fail(std::move(split.error()));
        }
        parts = std::move(*split);
    }
    const nlohmann::json object = nlohmann::json::parse(parts->small, nullptr, false);
    JsonFields fields(object, "/map", snapshot.path);
    snapshot.map_name = fields.text("name");
    snapshot.map_version = fields.text("version");
    snapshot.map_sha256 = fields.text("sha256");
    snapshot.map_origin = fields.text("origin");
    const nlohmann::json* parameters = fields.array("parameters");
    for (std::size_t i = 0; parameters != nullptr && i < parameters->size() && !fields.error(); ++i) {
        JsonFields parameter((*parameters)[i], "/map/parameters/" + std::to_string(i), snapshot.path);
        snapshot.parameters.push_back({parameter.text("name"), parameter.hex("value")});
        if (parameter.error()) {
            return fail(*parameter.error());
        }
    }
    if (fields.error()) {
        return fail(*fields.error());
    }
    if (parts->files.empty()) {
        return fail(bad_map(snapshot, "/files", "at least the map itself is expected"));
    }
    snapshot.maps = std::move(parts->files);
    return {};
}

Result<regmaps::RegisterMap> embedded_map(const Snapshot& snapshot) {
    if (snapshot.maps.empty()) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "no-map",
                     .what = "the snapshot holds no register map: none fitted the device",
                     .where = snapshot.path,
                     .remedy = "name one with --map"});
    }
    const auto resolve = [&](std::string_view name) -> Result<regmaps::MapText> {
        for (const EmbeddedMap& file : snapshot.maps) {
            if (file.name == name) {
                return regmaps::MapText{file.text, snapshot.path + ", map " + file.name};
            }
        }
        return fail(
            bad_map(snapshot, "/files", "the map includes " + std::string(name) + ", which is missing"));
    };
    auto map = regmaps::load_map(snapshot.maps.front().text,
                                 snapshot.path + ", map " + snapshot.maps.front().name, resolve);
    if (!map) {
        return map;
    }
    return regmaps::with_parameters(*map, snapshot.parameters);
}

} // namespace barscope::tool
