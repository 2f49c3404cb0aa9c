// Values that did not come from a device: typed in, from a file or from standard input.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <capture/names.h>
#include <capture/ring.h>
#include <device/hex_text.h>
#include <regmaps/decode.h>

namespace barscope::tool {

struct PastedOptions {
    std::vector<std::string> values;
    InputForm form = InputForm::automatic;
    std::string file;                    // "-" is standard input
    std::optional<std::uint64_t> offset; // of the first entry in the bytes
    std::optional<std::uint64_t> count;
    std::uint64_t stride = 0; // bytes from an entry to the next; 0: entries lie one behind the other
    bool slots = false;       // each entry says in WQE_SIZE how many units of 16 bytes it takes
    RingOptions ring;
};

// One register value or one structure.
struct Pasted {
    std::uint64_t offset = 0; // in the bytes given; for values: their number
    std::uint64_t value = 0;  // of a register
    std::string_view suspect; // why the map says that a register's value is no data; empty: it may be
    std::span<const std::uint8_t> bytes;       // of the set
    regmaps::Index enum_value = regmaps::none; // of a register
    std::vector<regmaps::DecodedField> fields;
    regmaps::DecodedStructure structure;
};

struct PastedSet {
    Definition definition;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> places; // where each entry begins in `bytes`
    std::uint32_t entry_size = 0;
    std::uint64_t left_over = 0; // bytes behind the last whole entry
    bool from_bytes = false;
    std::string form;    // what the input was recognised as; empty: values
    std::string stopped; // why the walk over entries of their own size ended early; empty: it did not
    RingReport ring;     // of structures
};

Result<PastedSet> decode_pasted(const regmaps::RegisterMap& map, const Definition& definition,
                                const PastedOptions& options);
// Decoding is repeated where it is shown: the fields of a million entries are not kept.
Pasted pasted_entry(const regmaps::RegisterMap& map, const PastedSet& set, std::size_t index);

} // namespace barscope::tool
