// What a snapshot's passes hold: it answers in a device's place, pass by pass. Words are kept as they were
// loaded or refused; nothing is made up for what was not recorded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
    // Of redacted words: (index into words, what stands for the value), ascending by index. Equal values that
    // were redacted with one key have equal ones.
    std::vector<std::pair<std::uint32_t, std::string>> pseudonyms;

    const safety::Word* find(std::uint64_t offset) const; // null: not there
};

// A counter of the kernel that the map names.
struct RecordedCounter {
    std::string name;
    std::optional<std::uint64_t> value;
    std::string why; // there is none
};

struct RecordedPass {
    std::uint64_t started_ns = 0, monotonic_ns = 0; // CLOCK_REALTIME, CLOCK_MONOTONIC at its beginning
    std::optional<Error> refusal;                   // nothing could be read at all
    std::string stopped;                            // as Capture::stopped
    std::vector<RecordedSource> sources;
    std::vector<RecordedCounter> counters;
    std::vector<RecordedRun> runs; // ascending by place, window, width; one of each

    // Null where this pass does not hold such a word.
    const safety::Word* find(Place place, std::string_view window, unsigned width,
                             std::uint64_t offset) const;
    const RecordedRun* run(Place place, std::string_view window, unsigned width) const;
    const RecordedSource* source(Place place) const;
    const RecordedCounter* counter(std::string_view name) const;
};

struct Recording {
    std::vector<RecordedPass> passes; // at least one
    std::uint32_t config_size = 0;    // bytes of configuration space that could be read
};

// Configuration space as a pass holds it: what was not read is not there.
std::shared_ptr<safety::ConfigSpace> recorded_config(std::shared_ptr<const Recording> recording,
                                                     std::size_t pass, std::string path);

} // namespace barscope::tool
