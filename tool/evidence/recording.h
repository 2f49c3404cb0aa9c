// What a snapshot's passes hold: it answers in a device's place, pass by pass. Words are kept as they were
// loaded or refused; nothing is made up for what was not recorded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <capture/sources.h>
#include <safety/access.h>
#include <safety/config_space.h>

namespace barscope::tool {

struct RecordedSource {
    Place place = 0;
    std::string description;
    std::uint64_t size = 0, loads = 0, sentinel_loads = 0, started_ns = 0, elapsed_ns = 0;
    bool device_gone = false;
    std::string note;
    std::optional<Error> refusal; // it could not be opened at all
};

// Words of one place, behind one window or none, of one width, at ascending distinct offsets.
struct RecordedRun {
    Place place = 0;
    std::string window; // the map's name of the windowed space; empty: none
    std::uint8_t width = 32;
    std::vector<std::uint64_t> offsets;
    std::vector<safety::Word> words; // parallel
};

struct RecordedPass {
    std::string started; // RFC 3339, UTC
    std::uint64_t monotonic_ns = 0;
    std::vector<RecordedSource> sources;
    std::vector<RecordedRun> runs; // ascending by place, window, width; one of each

    // Null where this pass does not hold such a word.
    const safety::Word* find(Place place, std::string_view window, unsigned width,
                             std::uint64_t offset) const;
    const RecordedSource* source(Place place) const;
};

struct Recording {
    std::vector<RecordedPass> passes; // at least one
    std::uint32_t config_size = 0;    // bytes that could be read
    // Capabilities as they were found, in list order: (extended, id, offset).
    struct Capability {
        bool extended = false;
        std::uint16_t id = 0;
        std::uint32_t offset = 0;
    };
    std::vector<Capability> capabilities;
};

} // namespace barscope::tool
