// The page tables through which the device finds a queue's or a region's memory, walked level by level.
// Layout: Linux drivers/infiniband/hw/bnxt_re/roce_hsi.h ptu_pte, ptu_pde; how they are filled: qplib_res.c
// bnxt_qplib_alloc_init_hwq.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <capture/pasted.h>

namespace barscope::tool {

struct PageEntry {
    std::uint64_t index = 0; // in its table
    std::uint64_t address = 0;
    bool valid = false, last = false, next_to_last = false;
};

struct PageTable {
    std::optional<PageEntry> directory; // the entry that points to it; nothing: the only table
    std::uint64_t at = 0;               // in the bytes
    std::vector<PageEntry> entries;     // up to the last one that is not zero
    std::uint64_t unused = 0;           // zeros behind them
};

struct PageWalk {
    std::vector<PageTable> tables;
    std::uint64_t pages = 0;
    std::uint64_t directory_pages = 0; // 0: no directory
    std::vector<std::string> remarks;  // what the marks say
    std::vector<std::string> problems; // what must not be
};

// `levels`: 1: the bytes are one table of page table entries; 2: the pages of a directory, then each table
// that it points to, in its order, 4 KiB each. `directory_pages`: how many pages the directory takes;
// nothing: as many as make its entries and the tables behind it the same number, or else one.
Result<PageWalk> walk_pages(const regmaps::RegisterMap& map, const PastedSet& set, unsigned levels,
                            std::optional<std::uint64_t> directory_pages);

} // namespace barscope::tool
