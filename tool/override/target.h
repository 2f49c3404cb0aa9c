// The one place that a write, or a read with a side effect, is about, and what it holds now.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <capture/capture.h>
#include <override/bits.h>
#include <override/port.h>

namespace barscope::tool {

// "bar0+0x10": a place that need not be on any map.
struct RawPlace {
    Place place = 0;
    std::uint64_t offset = 0;
};
// Nothing: it is a name. An error: an offset that does not say of what.
Result<std::optional<RawPlace>> parse_raw_place(std::string_view text);

// One register of the map, by its exact name.
struct LabTarget {
    std::string name; // "BLOCK[2].NAME.FIELD"
    std::string reg_name;
    regmaps::Instance instance;
    regmaps::Index field = regmaps::none;
    Place place = 0;
    safety::PortWord word;
};

// One look at it in read-only mode: nothing that has a side effect is read.
struct Look {
    Capture capture;
    LabTarget target;
    std::size_t position = 0; // in capture.raw
    // Where it lies behind a window: the select register, what it holds and what it must hold.
    std::optional<LabTarget> select;
    std::optional<std::uint64_t> selected, wanted_selection;

    const safety::Word& word() const { return capture.raw.words[position]; }
    std::optional<std::uint64_t> value() const;
    bool window_closed() const { return select && selected != wanted_selection; }
};

// `what`: for errors, "a write" or "a read with a side effect".
Result<Look> look(const Subject& subject, const CaptureOptions& options, const std::string& name,
                  std::string_view what);
// Whether a field applies, as far as what was read says.
FieldApplies applies_in(const Subject& subject, const Look& look);

// What a name means in the map, before any device is asked: where it lies, if the map alone says it.
struct StaticTarget {
    regmaps::Index reg = regmaps::none, field = regmaps::none;
    std::optional<Place> place;
};
std::optional<StaticTarget> find_in_map(const regmaps::RegisterMap& map, const std::string& name);
Error no_glob(const std::string& name, std::string_view what);

} // namespace barscope::tool
