// Which registers a map has on one particular device, and the plan to read them. Pure: values come in,
// requests go out.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <regmaps/catalog.h>
#include <regmaps/model.h>
#include <safety/access.h>

namespace barscope::regmaps {

// One concrete register. index[0..n) are the array indices from the outermost in.
struct Instance {
    std::uint64_t offset = 0; // within the space's source: BAR offset, configuration-space offset
    Index reg = none;
    std::array<std::uint32_t, max_indices> index{};
    friend bool operator==(const Instance&, const Instance&) = default;
};

// "BLOCK[2].NAME[3]".
std::string instance_name(const RegisterMap& map, const Instance& instance);
void append_instance_name(const RegisterMap& map, const Instance& instance, std::string& out);

// unknown: what its place depends on was not read.
enum class SpaceState : std::uint8_t { present, absent, unknown };

struct PlacedSpace {
    SpaceState state = SpaceState::absent;
    std::string why; // absent, unknown: the reason
    bool config = false;
    unsigned bar = 0;       // where !config
    std::uint64_t base = 0; // in the BAR or configuration space
    std::uint64_t size = 0; // bytes from base
    // Windowed spaces: base counts from the BAR, the window's place included. The space shows while
    // `window_select` holds `window_value`; nothing: the value could not be computed, so the window must not
    // be read through.
    std::optional<Instance> window_select;
    std::optional<std::uint64_t> window_value;
};

// A register that exists on paper only: why it has no instance here.
struct Missing {
    Index reg = none;
    bool unknown = false; // true: could not be decided; false: `when` does not hold, or the space is absent
    std::string_view why; // into Layout::reasons
};

struct Layout {
    std::vector<PlacedSpace> spaces; // parallel to RegisterMap::spaces
    std::vector<Instance> instances; // by space, then offset, then definition
    // At most one a register; with `unknown` also where other elements of it have instances.
    std::vector<Missing> missing;
    // The texts of `missing`, each once: thousands of registers share a reason. Copies of a layout share
    // them.
    std::shared_ptr<const std::unordered_set<std::string>> reasons;
};

// The instance's place in layout.instances; none where it is not there.
Index find_instance(const RegisterMap& map, const Layout& layout, const Instance& instance);

// What a layout is made for. Empty: the whole map.
struct Wanted {
    std::vector<bool> registers; // parallel to RegisterMap::registers
    std::vector<bool> spaces;    // parallel to RegisterMap::spaces: whether they are there is asked, besides
    std::vector<bool> counters; // parallel to RegisterMap::counters; empty: none. Of no concern to the layout
    bool everything() const { return registers.empty(); }
};

// What the layout may ask: all answers are plain values.
struct LayoutInputs {
    PciIdentity pci;
    // Offsets of a capability's instances in configuration space.
    std::function<std::vector<std::uint32_t>(bool extended, std::uint16_t id)> capabilities;
    // Configuration-space bytes for capabilityWhere.
    std::function<std::optional<std::uint32_t>(std::uint32_t offset, unsigned width)> config;
    // Bytes of it that can be read: below 256 a capability that was not found is unknown rather than absent.
    std::uint32_t config_size = 4096;
    // A register read earlier in this pass; nothing: not read, or not readable.
    std::function<std::optional<std::uint64_t>(const Instance&)> value;
    // True where the register was asked for in this pass, with or without success: layout_needs() does not
    // ask again.
    std::function<bool(const Instance&)> asked;
    std::uint64_t max_instances = 8'000'000;
    // layout_needs() asks for what these depend on, and for what must be known so that none of the loads of
    // the same source touches a register that must not be read. What then remains undecided elsewhere is
    // `missing`, as unknown.
    Wanted wanted;
};

// Registers whose values the layout needs and does not have yet, ready to be read; empty: place_map() can
// decide all that can be decided. Call, read, call again, until empty (bounded by the map's depth of
// dependence). Set LayoutInputs::asked, or a register that could not be read is returned again.
// plan_instances() makes read plans of them.
Result<std::vector<Instance>> layout_needs(const RegisterMap& map, const LayoutInputs& inputs);
Result<Layout> place_map(const RegisterMap& map, const LayoutInputs& inputs);

// Names, globs ("SQ*", "BLOCK[2].*", "NAME.FIELD"): indices into layout.instances. Unknown: the closest names
// in the remedy.
struct Selected {
    Index instance = none; // into Layout::instances
    Index field = none;    // into RegisterMap::fields, where NAME.FIELD was asked for
};
Result<std::vector<Selected>> select(const RegisterMap& map, const Layout& layout,
                                     const std::vector<std::string>& patterns);
// The registers that these names may mean, before anything is placed: parallel to RegisterMap::registers.
std::vector<bool> registers_meant(const RegisterMap& map, const std::vector<std::string>& patterns);
// Instances of these groups. Unknown group: the map's groups in the remedy.
Result<std::vector<Selected>> select_groups(const RegisterMap& map, const Layout& layout,
                                            const std::vector<std::string>& groups);

// Why this register must not be read in read-only mode; ok where it may.
safety::WordStatus readability(const RegisterMap& map, const Register& reg);

// What to load from one source (one BAR, or configuration space): each distinct word once, ascending.
struct PlannedRead {
    bool config = false;
    unsigned bar = 0;
    safety::SpacePlan plan;
    std::vector<Index> instances; // into Layout::instances
    std::vector<Index> word_of;   // parallel to `instances`: index into plan.words; none: not to be read
    // Parallel to `instances`: why word_of is none; ok where it is not. Beyond readability(): a register that
    // ends outside its space is out_of_range, one whose width the space does not take illegal_width.
    std::vector<safety::WordStatus> refused;
    Index window = none; // the windowed space that this plan reads through, or none
};
// `wanted`: indices into layout.instances. Unsafe ones are in the plan as not to be read (word_of none).
// Sentinels, poison and forbidden ranges come from the whole map, not from `wanted` only.
std::vector<PlannedRead> plan_reads(const RegisterMap& map, const Layout& layout,
                                    const std::vector<Index>& wanted);
// The same for what layout_needs() asks for. `layout` is place_map()'s with the same inputs;
// PlannedRead::instances are indices into `wanted`.
std::vector<PlannedRead> plan_instances(const RegisterMap& map, const Layout& layout,
                                        const std::vector<Instance>& wanted);

} // namespace barscope::regmaps
