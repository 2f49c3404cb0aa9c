// All built-in maps in one piece of bytes: a table that says what each is called, includes and matches, then
// their images and JSON texts. Looking for a map touches the table and that map's image only; there is
// nothing to relocate or build at start-up, however many maps there are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <regmaps/loader.h>
#include <regmaps/model.h>

namespace barscope::regmaps {

struct BlobEntry {
    Text name, title, version;
    Range includes; // BlobView::includes: all names that are included, directly or not
    Range rules;    // BlobView::rules
    std::uint64_t image_at = 0, image_size = 0; // bytes from the blob's beginning
    std::uint64_t text_at = 0, text_size = 0;   // the JSON text
};

struct BlobMap { // what is put in
    const RegisterMap* map = nullptr;
    std::string_view json;
    std::vector<std::string> all_includes;
};

std::vector<std::byte> catalog_blob(std::span<const BlobMap> maps);

struct BlobView {
    std::span<const std::byte> bytes;
    std::span<const BlobEntry> entries; // ascending by name
    std::span<const Text> includes;
    std::span<const MatchRule> rules;
    std::span<const MatchTerm> terms;
    std::span<const MatchValue> values;
    std::span<const char> texts;

    std::string_view text(Text t) const { return {texts.data() + t.at, t.size}; }
    std::string_view json(const BlobEntry& entry) const {
        return {reinterpret_cast<const char*>(bytes.data()) + entry.text_at, entry.text_size};
    }
    std::span<const std::byte> image(const BlobEntry& entry) const {
        return bytes.subspan(entry.image_at, entry.image_size);
    }
};

// An empty view where the bytes are not a catalogue of this build.
BlobView view_blob(std::span<const std::byte> blob);

} // namespace barscope::regmaps
