#include <regmaps/loader.h>

#include <algorithm>

#include <fmt/format.h>

#include "json_scanner.h"
#include "loader_parts.h"
#include "rules.h"
#include <regmaps/prefault.h>

namespace barscope::regmaps {

namespace {

constexpr std::size_t max_documents = 64;

class MapLoader {
  public:
    explicit MapLoader(const IncludeResolver& resolver) : resolver_(resolver) {}

    Result<RegisterMap> run(std::string_view text, std::string_view origin) {
        state_.tables.origin = origin;
        if (!add_document(text, origin, {}) || !load_all()) {
            return fail(std::move(state_.error));
        }
        return map_of(std::make_shared<const Tables>(std::move(state_.tables)));
    }

  private:
    // One document and, depth first, those that it includes; each once, whatever the ways that lead to it.
    bool add_document(std::string_view text, std::string_view origin, std::string_view expected_name) {
        Result<Tape> tape = scan_json(text, origin);
        if (!tape) {
            state_.error = std::move(tape.error());
            return false;
        }
        const auto document = static_cast<std::uint32_t>(state_.documents.size());
        state_.documents.emplace_back().tape = std::move(*tape);
        Reader reader(state_, document);
        std::vector<NodeIndex> includes;
        if (document == 0) {
            reserve(reader.tape);
        }
        if (!load_head(reader, document == 0, includes)) {
            return false;
        }
        std::string name = name_of(reader);
        if (!expected_name.empty() && name != expected_name) {
            return reader.fail(0, fmt::format("the map is called \"{}\", not \"{}\"", name, expected_name),
                               "give the file and the map the same name");
        }
        open_.push_back(name);
        seen_.push_back(std::move(name));
        for (const NodeIndex include : includes) {
            if (!add_include(document, include)) {
                return false;
            }
        }
        open_.pop_back();
        return true;
    }

    bool add_include(std::uint32_t document, NodeIndex node) {
        Reader reader(state_, document);
        const std::string name(reader.tape.string(node));
        if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
            return state_.fail({document, node},
                               fmt::format("the map \"{}\" includes itself: {}", name, way_to(name)),
                               "remove one of the inclusions", "map-include-cycle");
        }
        if (std::find(seen_.begin(), seen_.end(), name) != seen_.end()) {
            return true;
        }
        if (seen_.size() >= max_documents) {
            return reader.fail(node, fmt::format("more than {} maps", max_documents), "include fewer");
        }
        Result<MapText> found = resolver_ ? resolver_(name) : unknown_map(name);
        if (!found) {
            return state_.fail(
                {document, node}, fmt::format("cannot include \"{}\": {}", name, found.error().what),
                found.error().remedy.empty() ? "check the name" : found.error().remedy, "map-include");
        }
        return add_document(found->text, found->origin, name);
    }

    static Result<MapText> unknown_map(const std::string& name) {
        return fail(
            {ErrorCode::bad_input, "map-unknown", fmt::format("there is no map \"{}\"", name), {}, {}});
    }

    std::string way_to(const std::string& name) const {
        std::string way;
        for (auto it = std::find(open_.begin(), open_.end(), name); it != open_.end(); ++it) {
            way += *it + " -> ";
        }
        return way + name;
    }

    static std::string name_of(const Reader& reader) {
        for (const Children::Item item : Children(reader.tape, 0)) {
            if (item.key == Key::name) {
                return std::string(reader.tape.string(item.node));
            }
        }
        return {};
    }

    // The tables of a large map grow once.
    void reserve(const Tape& tape) {
        Tables& tables = state_.tables;
        // No more than fit the document, whatever its keys pretend: {"name":"F","bits":"0"}, and likewise a
        // register.
        const std::size_t size = tape.document.size();
        const std::size_t fields = std::min({tape.count(Key::bits), size / 24, max_fields});
        const std::size_t others = tape.count(Key::name) - std::min(fields, tape.count(Key::name));
        const std::size_t registers = std::min({others, size / 24, max_registers});
        tables.fields.reserve(fields);
        tables.registers.reserve(registers);
        tables.texts.reserve(size / 2);
        tables.text_list.reserve(tape.count(Key::group));
        state_.register_places.reserve(registers);
        state_.symbols.reserve(registers);
        prefault_reserved(tables.fields);
        prefault_reserved(tables.registers);
        prefault_reserved(tables.texts);
    }

    // One kind of thing after the other over all documents, so that own ones come first and everything is
    // known before it is referred to.
    bool load_all() {
        return for_each(&LoadedDocument::spaces, load_spaces) &&
               for_each(&LoadedDocument::enums, load_enums) && load_all_registers() &&
               for_each(&LoadedDocument::structures, load_structures) && resolve_variants(state_) &&
               for_each(&LoadedDocument::derived, load_derived) &&
               for_each(&LoadedDocument::checks, load_checks) && for_each(&LoadedDocument::logs, load_logs) &&
               for_each(&LoadedDocument::counters, load_counters) &&
               for_each(&LoadedDocument::driver_dumps, load_driver_dumps) && compile_expressions(state_) &&
               resolve_space_references(state_) && check_arrays(state_) && check_places(state_) &&
               check_overlaps(state_) && check_cycles(state_);
    }

    bool for_each(NodeIndex LoadedDocument::*list, bool (*load)(Reader&, NodeIndex)) {
        for (std::uint32_t i = 0; i < state_.documents.size(); ++i) {
            const NodeIndex node = state_.documents[i].*list;
            Reader reader(state_, i);
            if (node != no_node && !load(reader, node)) {
                return false;
            }
        }
        return true;
    }

    bool load_all_registers() {
        for (std::uint32_t i = 0; i < state_.documents.size(); ++i) {
            Reader reader(state_, i);
            if (!load_registers(reader, state_.documents[i].registers, state_.documents[i].blocks)) {
                return false;
            }
        }
        return true;
    }

    const IncludeResolver& resolver_;
    LoadState state_;
    std::vector<std::string> open_; // the maps whose inclusions are being followed
    std::vector<std::string> seen_;
};

} // namespace

Result<RegisterMap> load_map(std::string_view text, std::string_view origin, const IncludeResolver& include) {
    return MapLoader(include).run(text, origin);
}

} // namespace barscope::regmaps
