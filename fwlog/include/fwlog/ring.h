// A log that a device keeps in a ring of its own memory: entries of one structure, oldest first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fwlog/source.h>
#include <regmaps/model.h>

namespace barscope::fwlog {

struct RingImage {
    std::string name;
    std::uint64_t count = 0; // entries that the ring holds
    std::vector<std::uint8_t> bytes;
    std::vector<std::string> unread; // parallel to the entries: why one could not be read; empty: it was
    // The producer register, read before and after the entries; nothing: the map has none, or it was not
    // read. It may run freely or wrap at `count`.
    std::optional<std::uint64_t> before, after;
};

// The entries as records. Fields of the structure that are called SEQ (SEQUENCE), CODE, TIME (TIMESTAMP) and
// LEVEL (SEVERITY) fill the record's own members; LEVEL counts as the kernel's (0 emerg to 7 debug). Entries
// that are all zero were never written and are left out; `*empty` counts them. Those that the device wrote to
// during the read are marked. Image and map must outlive the source.
std::unique_ptr<Source> make_ring_source(const RingImage& image, const regmaps::RegisterMap& map,
                                         regmaps::Index structure);
std::uint64_t empty_entries(const RingImage& image, std::size_t entry_size);

} // namespace barscope::fwlog
