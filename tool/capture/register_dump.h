// bnxt_en's own register dump (ETHTOOL_GREGS, what `ethtool -d` prints): the PXP block as the firmware read
// it, and PCI Express statistics behind it. Layout: Linux 6.12 bnxt_ethtool.c bnxt_get_regs and, for versions
// 2 to 4, out-of-tree bnxt_en 1.10.3-237.1.20.0; 16-bit parts: ethtool bnxt.c.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <regmaps/decode.h>

namespace barscope::tool {

struct DumpWord {
    std::uint32_t offset = 0; // GRC address of the PXP block; of the buffer data: from its beginning
    std::uint32_t value = 0;
};

struct RegisterDump {
    std::string source;
    std::uint32_t version = 0;
    bool version_from_length = false; // a file does not hold the number
    std::uint64_t size = 0;
    std::vector<DumpWord> pxp; // the words that are not zero
    std::uint32_t pxp_words = 0;
    // Of the PCI Express statistics; none: the dump has none.
    regmaps::Index structure = regmaps::none;
    std::vector<std::uint8_t> statistics; // as long as the structure
    std::uint64_t statistics_size = 0;    // bytes that the dump holds of it
    std::vector<regmaps::DecodedField> fields;
    std::optional<std::array<unsigned, 4>> equalization_ms; // of phases 0 to 3
    std::vector<DumpWord> buffers; // version 4: words that are not zero, of a layout that no map has
    std::vector<std::string> remarks;
};

// `map` is bnxt-dumps. `version`: nothing where only the bytes are at hand.
Result<RegisterDump> decode_register_dump(const regmaps::RegisterMap& map,
                                          std::span<const std::uint8_t> bytes,
                                          std::optional<std::uint32_t> version, std::string source);

} // namespace barscope::tool
