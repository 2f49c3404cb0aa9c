#include <evidence/record_pass.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::RegisterMap;

struct Entry {
    std::uint64_t offset = 0;
    safety::Word word;
};
using Key = std::tuple<Place, std::string_view, unsigned>; // place, window, width
using Runs = std::map<Key, std::vector<Entry>>;

Key key_of(const RegisterMap& map, const regmaps::Layout& layout, const regmaps::Register& reg) {
    const regmaps::PlacedSpace& space = layout.spaces[reg.space];
    return {space.config ? config_place : space.bar,
            space.window_select ? map.text(map.spaces[reg.space].name) : std::string_view(), reg.width};
}

void add_words(Runs& runs, const RegisterMap& map, const Capture& capture) {
    Index last_space = regmaps::none;
    unsigned last_width = 0;
    std::vector<Entry>* entries = nullptr;
    for (std::size_t i = 0; i < capture.raw.instances.size(); ++i) {
        if (capture.held[i] || capture.refusal[i] != 0) {
            continue;
        }
        const regmaps::Instance& instance = capture.raw.instances[i];
        const regmaps::Register& reg = map.registers[instance.reg];
        if (entries == nullptr || reg.space != last_space || reg.width != last_width) {
            entries = &runs[key_of(map, capture.layout, reg)];
            last_space = reg.space;
            last_width = reg.width;
        }
        entries->push_back({instance.offset, capture.raw.words[i]});
    }
}

// What the plan read counts; what else was asked of configuration space fills the gaps.
void add_config_reads(Runs& runs, const std::vector<ConfigRead>& reads) {
    for (const ConfigRead& read : reads) {
        if (read.value) {
            safety::Word word;
            word.value = *read.value;
            word.status = safety::WordStatus::ok;
            runs[{config_place, {}, read.width}].push_back({read.offset, word});
        }
    }
}

// Ascending, each offset once: registers that share a word share what became of it, and the first one said
// it.
RecordedRun finished(const Key& key, std::vector<Entry>& entries) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.offset < b.offset; });
    entries.erase(std::unique(entries.begin(), entries.end(),
                              [](const Entry& a, const Entry& b) { return a.offset == b.offset; }),
                  entries.end());
    RecordedRun run{std::get<0>(key),
                    std::string(std::get<1>(key)),
                    static_cast<std::uint8_t>(std::get<2>(key)),
                    {},
                    {},
                    {}};
    run.offsets.reserve(entries.size());
    run.words.reserve(entries.size());
    for (const Entry& entry : entries) {
        run.offsets.push_back(entry.offset);
        run.words.push_back(entry.word);
    }
    return run;
}

} // namespace

RecordedPass record_pass(const RegisterMap& map, const Capture& capture) {
    RecordedPass pass;
    pass.started_ns = capture.started_ns;
    pass.monotonic_ns = capture.monotonic_ns;
    pass.stopped = capture.stopped;
    for (const SourceReport& source : capture.sources) {
        pass.sources.push_back({source.place, source.description, source.size, source.loads,
                                source.sentinel_loads, source.started_ns, source.elapsed_ns,
                                source.device_gone, source.note, std::nullopt});
    }
    for (Place place = 0; place < place_count; ++place) {
        if (const std::uint8_t refusal = capture.refusal_of_place.at(place); refusal != 0) {
            RecordedSource source;
            source.place = place;
            source.refusal = capture.refusals[refusal - 1U];
            pass.sources.push_back(std::move(source));
        }
    }
    for (std::size_t i = 0; i < capture.counters.size(); ++i) {
        const CounterReading& reading = capture.counters[i];
        pass.counters.push_back({std::string(map.text(map.counters[i].name)), reading.value, reading.why});
    }
    Runs runs;
    add_words(runs, map, capture);
    add_config_reads(runs, capture.config_reads);
    for (auto& [key, entries] : runs) {
        pass.runs.push_back(finished(key, entries));
    }
    return pass;
}

} // namespace barscope::tool
