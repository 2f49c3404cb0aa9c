// A write as people see it: before it is made, and after.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <override/merge.h>
#include <override/target.h>
#include <render/json_writer.h>
#include <render/style.h>

namespace barscope::tool {

// A field, or a run of bits that no field names, before and after.
struct FieldChange {
    unsigned msb = 0, lsb = 0;
    std::string name; // empty: no field names these bits
    std::optional<std::uint64_t> before, after;
    std::string before_text, after_text; // "0x2  1G"
    bool changed() const { return before && before != after; }
};

// `old`: nothing where it was not read.
std::vector<FieldChange> field_changes(const Subject& subject, const Look& look,
                                       std::optional<std::uint64_t> old, std::uint64_t value);

// Where it is, old and new value with their fields, and what it does besides. `change`: nothing where the new
// value is not known before a window is open.
void append_plan(std::string& out, const Style& style, const Subject& subject, const Look& look,
                 const WriteWish& wish, const std::optional<Change>& change);
void write_changes(JsonWriter& json, const std::vector<FieldChange>& changes);

// "bar0+0x10, 32 bits"
std::string place_text(Place place, const safety::PortWord& word);
std::string word_text(std::uint64_t value, unsigned width);
// The values of all of the register's fields, as decoded with this value in the word's place.
std::vector<regmaps::DecodedField> decode_with(const Subject& subject, const Look& look, std::uint64_t value);
std::string names_in(const regmaps::RegisterMap& map, const regmaps::Register& reg, std::uint64_t mask);

} // namespace barscope::tool
