// Which maps there are and which one fits a device. Looking a map up loads that map only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <regmaps/loader.h>
#include <regmaps/model.h>
#include <regmaps/schema.h>

namespace barscope::regmaps {

struct PciIdentity {
    std::uint16_t vendor = 0, device = 0, subsystem_vendor = 0, subsystem_device = 0;
    std::uint32_t class_code = 0;
    std::uint8_t revision = 0;
    bool is_vf = false;
};

struct CatalogEntry {
    std::string name, title, version;
    std::string origin;     // "built in" or a path
    bool overrides = false; // an earlier one of the same name exists
};

class Catalog {
  public:
    // Folders in rising priority. Missing folders are fine. Files are read only when needed.
    explicit Catalog(std::vector<std::string> folders);
    ~Catalog();
    Catalog(Catalog&&) noexcept;
    Catalog& operator=(Catalog&&) noexcept;

    // All maps by name, and the errors of files that could not be loaded.
    std::vector<CatalogEntry> list(std::vector<Error>* broken) const;
    // A map by name, or by path where `name_or_path` contains '/' or ends in ".json". Unknown: closest names
    // in the remedy.
    Result<RegisterMap> find(std::string_view name_or_path) const;
    // The most specific map for a device. No error: nothing matches.
    Result<std::optional<RegisterMap>> match(const PciIdentity& id) const;
    // The JSON text of a map, as built in or as in its file.
    Result<std::string> source_text(std::string_view name_or_path) const;
    // The map's text and those of everything that it includes, the map itself first: all that is needed to
    // load it elsewhere. The map must be a good one.
    struct SourceFile {
        std::string name, text;
    };
    Result<std::vector<SourceFile>> source_files(std::string_view name_or_path) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// How specific the map's best matching rule is for this device; nothing where none matches.
std::optional<std::uint32_t> match_specificity(const RegisterMap& map, const PciIdentity& id);

} // namespace barscope::regmaps
