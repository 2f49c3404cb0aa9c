#include <regmaps/catalog.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <regmaps/names.h>

#include "catalog_builtin.h"
#include "catalog_files.h"
#include "catalog_rules.h"
#include "json_scanner.h"
#include "loader_head.h"
#include <regmaps/prefault.h>

namespace barscope::regmaps {

struct Catalog::State {
    std::vector<std::string> folders; // in rising priority

    // A map's text in the folder of the highest priority that has it; nothing where none does.
    Result<std::optional<MapText>> find_file(std::string_view name, std::deque<std::string>& texts) const;
    // A map's text wherever it is, for inclusion.
    Result<MapText> resolve(std::string_view name, std::deque<std::string>& texts) const;
    Result<RegisterMap> load_path(const std::string& path) const; // what a user named
    Result<RegisterMap> load_in_folder(std::string_view name, std::string_view text,
                                       const std::string& path) const;
    // `used`: where not null, the texts of all that is included, each once, in order of their first use.
    Result<RegisterMap> load_text(std::string_view text, const std::string& origin,
                                  const std::string& sibling_folder,
                                  std::vector<SourceFile>* used = nullptr) const;
    Result<RegisterMap> load_builtin(const BlobView& maps, const BlobEntry& entry) const;
    bool is_overridden(const BlobView& maps, const BlobEntry& entry) const;
    Result<std::map<std::string, std::string>> files() const; // name -> path
    std::string suggest(std::string_view name) const;
};

namespace {

tl::unexpected<Error> wrong_file_name(std::string_view name, const std::string& path) {
    return fail({ErrorCode::bad_input, "map-file-name",
                 fmt::format("the map in this file is called \"{}\"", name), path,
                 fmt::format("name the file {}.json", name)});
}

} // namespace

Result<std::optional<MapText>> Catalog::State::find_file(std::string_view name,
                                                         std::deque<std::string>& texts) const {
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
        const std::string path = map_path(*folder, name);
        Result<std::optional<std::string>> text = read_map_file(path);
        if (!text) {
            return fail(std::move(text.error()));
        }
        if (*text) {
            texts.push_back(std::move(**text));
            return MapText{texts.back(), path};
        }
    }
    return std::nullopt;
}

Result<MapText> Catalog::State::resolve(std::string_view name, std::deque<std::string>& texts) const {
    Result<std::optional<MapText>> file = find_file(name, texts);
    if (!file) {
        return fail(std::move(file.error()));
    }
    if (*file) {
        return std::move(**file);
    }
    const BlobView maps = builtin_maps();
    if (const BlobEntry* const entry = find_builtin(maps, name)) {
        return MapText{maps.json(*entry), fmt::format("built-in {}.json", name)};
    }
    return fail(
        {ErrorCode::usage, "map-unknown", fmt::format("there is no map \"{}\"", name), {}, suggest(name)});
}

Result<RegisterMap> Catalog::State::load_text(std::string_view text, const std::string& origin,
                                              const std::string& sibling_folder,
                                              std::vector<SourceFile>* used) const {
    std::deque<std::string> texts;
    const auto find = [&](std::string_view name) -> Result<MapText> {
        if (!sibling_folder.empty() && is_map_name(name)) {
            const std::string path = map_path(sibling_folder, name);
            Result<std::optional<std::string>> sibling = read_map_file(path);
            if (sibling && *sibling) {
                texts.push_back(std::move(**sibling));
                return MapText{texts.back(), path};
            }
        }
        return resolve(name, texts);
    };
    return load_map(text, origin, [&](std::string_view name) -> Result<MapText> {
        auto found = find(name);
        if (found && used != nullptr &&
            std::none_of(used->begin(), used->end(), [&](const SourceFile& f) { return f.name == name; })) {
            used->push_back({std::string(name), std::string(found->text)});
        }
        return found;
    });
}

Result<RegisterMap> Catalog::State::load_path(const std::string& path) const {
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    const HugePageHeap heap(unknown ? 0 : std::min<std::uintmax_t>(size, max_document_size));
    Result<std::optional<std::string>> text = read_map_file(path);
    if (!text) {
        return fail(std::move(text.error()));
    }
    if (!*text) {
        return fail({ErrorCode::bad_input, "map-unreadable", "there is no such file", path,
                     "check the path; a map's name without .json is looked up among the known maps"});
    }
    return load_text(**text, path, folder_of(path));
}

// A file of a folder, which must be called as its map is.
Result<RegisterMap> Catalog::State::load_in_folder(std::string_view name, std::string_view text,
                                                   const std::string& path) const {
    Result<RegisterMap> map = load_text(text, path, {});
    if (map && map->name != name) {
        return wrong_file_name(map->name, path);
    }
    return map;
}

// Whether a folder has another version of something that the map includes.
bool Catalog::State::is_overridden(const BlobView& maps, const BlobEntry& entry) const {
    const auto includes = maps.includes.subspan(entry.includes.begin, entry.includes.count);
    return std::any_of(includes.begin(), includes.end(), [&](Text name) {
        std::deque<std::string> texts;
        const auto file = find_file(maps.text(name), texts);
        return !file || *file;
    });
}

Result<RegisterMap> Catalog::State::load_builtin(const BlobView& maps, const BlobEntry& entry) const {
    if (is_overridden(maps, entry)) {
        return load_text(maps.json(entry), fmt::format("built-in {}.json", maps.text(entry.name)), {});
    }
    return map_from_image(maps.image(entry));
}

Result<std::map<std::string, std::string>> Catalog::State::files() const {
    std::map<std::string, std::string> paths;
    for (const std::string& folder : folders) {
        if (auto done = list_folder(folder, paths); !done) {
            return fail(std::move(done.error()));
        }
    }
    return paths;
}

std::string Catalog::State::suggest(std::string_view name) const {
    const BlobView maps = builtin_maps();
    const Result<std::map<std::string, std::string>> paths = files();
    std::vector<std::string_view> names;
    for (const BlobEntry& entry : maps.entries) {
        names.push_back(maps.text(entry.name));
    }
    if (paths) {
        for (const auto& [known, path] : *paths) {
            names.push_back(known);
        }
    }
    const std::string remedy = did_you_mean(name, names);
    return remedy.empty() ? "barscope maps list shows the known maps" : remedy;
}

Catalog::Catalog(std::vector<std::string> folders) : state_(std::make_unique<State>()) {
    state_->folders = std::move(folders);
}
Catalog::~Catalog() = default;
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;

Result<RegisterMap> Catalog::find(std::string_view name_or_path) const {
    if (is_map_path(name_or_path)) {
        return state_->load_path(std::string(name_or_path));
    }
    std::deque<std::string> texts;
    if (is_map_name(name_or_path)) {
        Result<std::optional<MapText>> file = state_->find_file(name_or_path, texts);
        if (!file) {
            return fail(std::move(file.error()));
        }
        if (*file) {
            return state_->load_in_folder(name_or_path, (*file)->text, (*file)->origin);
        }
        const BlobView maps = builtin_maps();
        if (const BlobEntry* const entry = find_builtin(maps, name_or_path)) {
            return state_->load_builtin(maps, *entry);
        }
    }
    return fail({ErrorCode::usage,
                 "map-unknown",
                 fmt::format("there is no map \"{}\"", name_or_path),
                 {},
                 state_->suggest(name_or_path)});
}

Result<std::optional<RegisterMap>> Catalog::match(const PciIdentity& id) const {
    struct Best {
        std::uint32_t specificity = 0;
        std::vector<std::string> names;
    } best;
    const auto consider = [&](const RuleTables& rules, std::string_view name) {
        const std::optional<std::uint32_t> specificity = best_rule(rules, id);
        if (!specificity || (!best.names.empty() && *specificity < best.specificity)) {
            return;
        }
        if (best.names.empty() || *specificity > best.specificity) {
            best.names.clear();
        }
        best.specificity = *specificity;
        best.names.emplace_back(name);
    };

    Result<std::map<std::string, std::string>> files = state_->files();
    if (!files) {
        return fail(std::move(files.error()));
    }
    for (const auto& [name, path] : *files) {
        Result<std::optional<std::string>> text = read_map_file(path);
        if (!text) {
            return fail(std::move(text.error()));
        }
        // A file that cannot be understood might be the one that fits: going on without it would be a guess.
        Result<MapHead> head = load_map_head(text->value_or(std::string{}), path);
        if (!head) {
            head.error().remedy += "; or choose a map with --map";
            return fail(std::move(head.error()));
        }
        if (head->name != name) {
            return wrong_file_name(head->name, path);
        }
        consider({head->rules, head->terms, head->values}, name);
    }
    const BlobView maps = builtin_maps();
    for (const BlobEntry& entry : maps.entries) {
        const std::string_view name = maps.text(entry.name);
        if (files->empty() || files->find(std::string(name)) == files->end()) {
            consider({maps.rules.subspan(entry.rules.begin, entry.rules.count), maps.terms, maps.values},
                     name);
        }
    }
    if (best.names.empty()) {
        return std::nullopt;
    }
    if (best.names.size() > 1) {
        return fail({ErrorCode::bad_input,
                     "map-match-conflict",
                     fmt::format("the maps {} fit this device equally well", fmt::join(best.names, " and ")),
                     {},
                     "choose one with --map, or make one of them more specific"});
    }
    Result<RegisterMap> map = find(best.names[0]);
    if (!map) {
        return fail(std::move(map.error()));
    }
    return std::move(*map);
}

std::vector<CatalogEntry> Catalog::list(std::vector<Error>* broken) const {
    const auto complain = [&](Error error) {
        if (broken != nullptr) {
            broken->push_back(std::move(error));
        }
    };
    std::map<std::string, CatalogEntry> entries;
    const BlobView maps = builtin_maps();
    for (const BlobEntry& entry : maps.entries) {
        const std::string name(maps.text(entry.name));
        entries[name] = {name, std::string(maps.text(entry.title)), std::string(maps.text(entry.version)),
                         "built in", false};
    }
    for (const std::string& folder : state_->folders) {
        std::map<std::string, std::string> paths;
        if (auto done = list_folder(folder, paths); !done) {
            complain(std::move(done.error()));
        }
        for (const auto& [name, path] : paths) {
            const bool overrides = entries.erase(name) > 0;
            const Result<std::optional<std::string>> text = read_map_file(path);
            const Result<RegisterMap> map =
                text ? state_->load_in_folder(name, text->value_or(std::string{}), path)
                     : Result<RegisterMap>(fail(text.error()));
            if (!map) {
                complain(map.error());
            } else {
                entries[name] = {name, std::string(map->title), std::string(map->version), path, overrides};
            }
        }
    }
    std::vector<CatalogEntry> result;
    result.reserve(entries.size());
    for (auto& [name, entry] : entries) {
        result.push_back(std::move(entry));
    }
    return result;
}

Result<std::string> Catalog::source_text(std::string_view name_or_path) const {
    if (!is_map_path(name_or_path)) {
        std::deque<std::string> texts;
        if (!is_map_name(name_or_path)) {
            return fail({ErrorCode::usage,
                         "map-unknown",
                         fmt::format("there is no map \"{}\"", name_or_path),
                         {},
                         state_->suggest(name_or_path)});
        }
        Result<MapText> text = state_->resolve(name_or_path, texts);
        if (!text) {
            return fail(std::move(text.error()));
        }
        return std::string(text->text);
    }
    const std::string path(name_or_path);
    Result<std::optional<std::string>> text = read_map_file(path);
    if (!text) {
        return fail(std::move(text.error()));
    }
    if (!*text) {
        return fail(
            {ErrorCode::bad_input, "map-unreadable", "there is no such file", path, "check the path"});
    }
    return std::move(**text);
}

Result<std::vector<Catalog::SourceFile>> Catalog::source_files(std::string_view name_or_path) const {
    Result<std::string> text = source_text(name_or_path);
    if (!text) {
        return fail(std::move(text.error()));
    }
    std::vector<SourceFile> included;
    const std::string path(name_or_path);
    const Result<RegisterMap> map = state_->load_text(
        *text, path, is_map_path(name_or_path) ? folder_of(path) : std::string(), &included);
    if (!map) {
        return fail(map.error());
    }
    std::vector<SourceFile> files{{std::string(map->name), std::move(*text)}};
    std::move(included.begin(), included.end(), std::back_inserter(files));
    return files;
}

} // namespace barscope::regmaps
