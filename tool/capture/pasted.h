// Values that did not come from a device: typed in, from a file or from standard input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <capture/names.h>
#include <regmaps/decode.h>

namespace barscope::tool {

struct PastedOptions {
    std::vector<std::string> values;
    bool bytes = false;                  // values, or the file, are hex bytes in memory order
    std::string file;                    // "-" is standard input
    std::optional<std::uint64_t> offset; // of the first entry in the bytes
    std::optional<std::uint64_t> count;
    bool show_pointers = false; // also what the map marks as sensitive
};

// One register value or one structure.
struct Pasted {
    std::uint64_t offset = 0; // in the bytes given; for values: their number
    std::uint64_t value = 0;  // of a register
    std::string_view suspect; // why the map says that a register's value is no data; empty: it may be
    std::vector<std::uint8_t> bytes;
    regmaps::Index enum_value = regmaps::none; // of a register
    std::vector<regmaps::DecodedField> fields;
    regmaps::DecodedStructure structure;
};

struct PastedSet {
    Definition definition;
    std::vector<Pasted> entries;
    std::uint64_t left_over = 0; // bytes behind the last whole entry
    bool from_bytes = false;
    bool show_pointers = false;
};

Result<PastedSet> decode_pasted(const regmaps::RegisterMap& map, const Definition& definition,
                                const PastedOptions& options);

} // namespace barscope::tool
