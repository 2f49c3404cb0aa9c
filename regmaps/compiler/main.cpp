// The build's map compiler: checks register maps and writes all of them as one piece of bytes that the
// executable holds.
//
//   regmap_compiler --check FILE...            exit 6 and the error on stderr where a map is bad
//   regmap_compiler --output BLOB FILE...      likewise, and writes the built-in catalogue
//
// An included map is looked for among the files given, then in the folder of the file that includes it, then
// in the folders given with -I.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <regmaps/loader.h>

#include "image_catalog.h"

namespace {

using namespace barscope;
using namespace barscope::regmaps;

struct Arguments {
    bool check = false;
    std::string output;
    std::vector<std::string> folders, files;
};

std::optional<std::string> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return std::nullopt;
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string stem_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    if (name.ends_with(".json")) {
        name.resize(name.size() - 5);
    }
    return name;
}

class Compiler {
  public:
    explicit Compiler(Arguments arguments) : arguments_(std::move(arguments)) {}

    int run() {
        std::vector<std::optional<RegisterMap>> maps;
        for (const std::string& file : arguments_.files) {
            maps.push_back(load(file));
        }
        bool ok = std::all_of(maps.begin(), maps.end(), [](const auto& map) { return map.has_value(); });
        ok = ok && check_names(maps) && check_conflicts(maps);
        return ok && (arguments_.output.empty() || write(maps)) ? 0 : 6;
    }

  private:
    std::optional<RegisterMap> load(const std::string& file) {
        const std::string* const text = text_of(file);
        if (text == nullptr) {
            return complain({ErrorCode::bad_input, "map-unreadable", "the map cannot be read", file, {}});
        }
        std::vector<std::string>& included = includes_[file];
        Result<RegisterMap> map =
            load_map(*text, file, [&](std::string_view name) { return resolve(file, name, included); });
        if (!map) {
            return complain(map.error());
        }
        // Elsewhere a map is found by its file's name.
        if (map->name != stem_of(file)) {
            return complain({ErrorCode::bad_input, "map-file-name",
                             fmt::format("the map is called \"{}\"", map->name), file,
                             fmt::format("name the file {}.json", map->name)});
        }
        return std::move(*map);
    }

    Result<MapText> resolve(const std::string& file, std::string_view name,
                            std::vector<std::string>& included) {
        included.emplace_back(name);
        std::vector<std::string> candidates;
        for (const std::string& other : arguments_.files) {
            if (stem_of(other) == name) {
                candidates.push_back(other);
            }
        }
        candidates.push_back(fmt::format("{}/{}.json", folder_of(file), name));
        for (const std::string& folder : arguments_.folders) {
            candidates.push_back(fmt::format("{}/{}.json", folder, name));
        }
        for (const std::string& candidate : candidates) {
            if (const std::string* const text = text_of(candidate)) {
                return MapText{*text, candidate};
            }
        }
        return fail({ErrorCode::bad_input,
                     "map-unknown",
                     fmt::format("there is no map \"{}\"", name),
                     {},
                     "see the folders that -I names"});
    }

    const std::string* text_of(const std::string& path) {
        auto [it, is_new] = texts_.try_emplace(path);
        if (is_new) {
            it->second = read_file(path);
        }
        return it->second ? &*it->second : nullptr;
    }

    // Two maps with the same rule fit the same devices equally well.
    bool check_conflicts(const std::vector<std::optional<RegisterMap>>& maps) {
        std::map<std::string, std::string_view> owners;
        for (const auto& map : maps) {
            for (const MatchRule& rule : map->match_rules) {
                const auto [it, is_new] = owners.try_emplace(canonical(*map, rule), map->name);
                if (!is_new && it->second != map->name) {
                    complain({ErrorCode::bad_input, "map-match-conflict",
                              fmt::format("the maps \"{}\" and \"{}\" have the same match rule", it->second,
                                          map->name),
                              std::string(map->origin), "make one of them more specific"});
                    return false;
                }
            }
        }
        return true;
    }

    bool check_names(const std::vector<std::optional<RegisterMap>>& maps) {
        std::map<std::string_view, std::string_view> origins;
        for (const auto& map : maps) {
            const auto [it, is_new] = origins.try_emplace(map->name, map->origin);
            if (!is_new) {
                complain({ErrorCode::bad_input, "map-duplicate-name",
                          fmt::format("the map \"{}\" is there already, in {}", map->name, it->second),
                          std::string(map->origin), "give each its own name"});
                return false;
            }
        }
        return true;
    }

    static std::string canonical(const RegisterMap& map, const MatchRule& rule) {
        std::vector<std::string> terms;
        for (const MatchTerm& term : map.match_terms.subspan(rule.terms.begin, rule.terms.count)) {
            std::vector<std::string> values;
            for (const MatchValue& value : map.match_values.subspan(term.values.begin, term.values.count)) {
                values.push_back(fmt::format("{:x}/{:x}", value.value, value.mask));
            }
            std::sort(values.begin(), values.end());
            terms.push_back(fmt::format("{}={}", static_cast<int>(term.key), fmt::join(values, ",")));
        }
        std::sort(terms.begin(), terms.end());
        return fmt::format("{}", fmt::join(terms, ";"));
    }

    bool write(const std::vector<std::optional<RegisterMap>>& maps) {
        std::vector<BlobMap> entries;
        for (std::size_t i = 0; i < maps.size(); ++i) {
            const std::string& file = arguments_.files[i];
            entries.push_back({&*maps[i], *text_of(file), includes_[file]});
        }
        const std::vector<std::byte> blob = catalog_blob(entries);
        std::ofstream out(arguments_.output, std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(blob.data()), static_cast<std::streamsize>(blob.size()));
        out.close();
        if (!out) {
            complain(
                {ErrorCode::output, "output", "the catalogue could not be written", arguments_.output, {}});
            return false;
        }
        return true;
    }

    std::nullopt_t complain(const Error& error) {
        fmt::print(stderr, "error: {}\n", to_string(error));
        return std::nullopt;
    }

    Arguments arguments_;
    std::map<std::string, std::optional<std::string>> texts_;
    std::map<std::string, std::vector<std::string>> includes_; // of each file, those of its includes too
};

std::optional<Arguments> parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--check") {
            arguments.check = true;
        } else if ((argument == "--output" || argument == "-I") && i + 1 < argc) {
            ++i;
            if (argument == "-I") {
                arguments.folders.emplace_back(argv[i]);
            } else {
                arguments.output = argv[i];
            }
        } else if (argument.starts_with("-")) {
            return std::nullopt;
        } else {
            arguments.files.emplace_back(argument);
        }
    }
    return arguments.check == arguments.output.empty() ? std::optional(arguments) : std::nullopt;
}

} // namespace

int main(int argc, char** argv) {
    const auto arguments = parse(argc, argv);
    if (!arguments) {
        fmt::print(stderr, "usage: regmap_compiler [-I FOLDER]... --check FILE... | --output BLOB FILE...\n");
        return 2;
    }
    return Compiler(*arguments).run();
}
