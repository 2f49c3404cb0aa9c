#include <device/driver_dump.h>

#include <algorithm>
#include <unordered_map>

#include <device/discover.h>
#include <device/dump_file.h>
#include <device/offline_source.h>
#include <render/digits.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::Layout;
using regmaps::PlacedSpace;
using regmaps::RegisterMap;
using regmaps::Space;

bool names_driver(const RegisterMap& map, const Space& space, std::string_view driver) {
    const auto drivers = map.text_list.subspan(space.dump_drivers.begin, space.dump_drivers.count);
    return std::any_of(drivers.begin(), drivers.end(),
                       [&](regmaps::Text name) { return map.text(name) == driver; });
}

// Spaces of this BAR that the driver's dump holds.
std::vector<Index> dumped_spaces(const RegisterMap& map, const Layout& layout, unsigned bar,
                                 std::string_view driver) {
    std::vector<Index> found;
    for (Index i = 0; i < map.spaces.size(); ++i) {
        const PlacedSpace& placed = layout.spaces[i];
        const bool here = placed.state == regmaps::SpaceState::present && !placed.config && placed.bar == bar;
        if (here && names_driver(map, map.spaces[i], driver)) {
            found.push_back(i);
        }
    }
    return found;
}

// BAR bytes [begin, end) lie in the dump from `at` on.
struct Segment {
    std::uint64_t begin = 0, end = 0, at = 0;
};

// A space as a whole, or register by register where the driver arranged them in its own way.
void add_segments(const RegisterMap& map, const Layout& layout, Index index, std::vector<Segment>& out) {
    const Space& space = map.spaces[index];
    const PlacedSpace& placed = layout.spaces[index];
    if (space.dump_registers.count == 0) {
        out.push_back({placed.base, placed.base + placed.size, space.dump_offset});
        return;
    }
    std::unordered_map<Index, std::uint64_t> place;
    for (const regmaps::DumpRegister& entry :
         map.dump_registers.subspan(space.dump_registers.begin, space.dump_registers.count)) {
        place.emplace(entry.reg, entry.offset);
    }
    for (const regmaps::Instance& instance : layout.instances) {
        const regmaps::Register& reg = map.registers[instance.reg];
        const auto found = place.find(instance.reg);
        const bool first_element = instance.index == decltype(instance.index){};
        if (found != place.end() && reg.space == index && first_element) {
            out.push_back({instance.offset, instance.offset + reg.width / 8U, found->second});
        }
    }
}

Error not_offered(DumpOffer offer, const std::string& driver, const std::string& where) {
    if (offer == DumpOffer::side_effects) {
        return {.code = ErrorCode::refused,
                .cause = "driver-dump-side-effect",
                .what = "the map does not say that " + driver + "'s register dump is free of side effects",
                .where = where,
                .remedy = "read the BAR instead (--source bar)"};
    }
    return {.code = ErrorCode::refused,
            .cause = "no-driver-dump",
            .what = driver.empty() ? "no driver is bound that could be asked for its register dump"
                                   : "the map does not say how " + driver + "'s register dump is laid out",
            .where = where,
            .remedy = "read the BAR instead (--source bar)"};
}

} // namespace

DumpOffer driver_dump_offer(const RegisterMap& map, const Layout& layout, unsigned bar,
                            const std::string& driver) {
    const std::vector<Index> spaces = dumped_spaces(map, layout, bar, driver);
    if (driver.empty() || spaces.empty()) {
        return DumpOffer::none;
    }
    const bool safe = std::all_of(spaces.begin(), spaces.end(),
                                  [&](Index i) { return map.spaces[i].dump_side_effect_free; });
    return safe ? DumpOffer::safe : DumpOffer::side_effects;
}

Result<std::unique_ptr<safety::WordSource>>
open_driver_dump(const safety::SystemRoot& root, const safety::DeviceFacts& facts, const RegisterMap& map,
                 const Layout& layout, unsigned bar, std::optional<bool> config_answers) {
    const std::string where = to_string(facts.address);
    const DumpOffer offer = driver_dump_offer(map, layout, bar, facts.driver);
    if (offer != DumpOffer::safe) {
        return fail(not_offered(offer, facts.driver, where));
    }
    if (!root.is_live()) {
        return fail({.code = ErrorCode::refused,
                     .cause = "not-this-machine",
                     .what = "the driver can be asked on the running machine only, not below --root",
                     .where = where,
                     .remedy = "read the copied BAR instead (--source bar)"});
    }
    const NamesByAddress names = kernel_names(root);
    const auto found = names.find(facts.address);
    if (found == names.end() || found->second.net.empty()) {
        return fail({.code = ErrorCode::absent,
                     .cause = "no-interface",
                     .what = "the device has no network interface to ask for the driver's register dump",
                     .where = where,
                     .remedy = "read the BAR instead (--source bar)"});
    }
    const std::string& interface = found->second.net.front();
    auto dump = safety::read_ethtool_dump(safety::ReadOnly{}, interface, true);
    if (!dump) {
        return fail(std::move(dump.error()));
    }
    return source_of_driver_dump(std::move(*dump), interface, map, layout, bar, config_answers);
}

Result<std::unique_ptr<safety::WordSource>>
source_of_driver_dump(safety::EthtoolDump dump, const std::string& interface, const RegisterMap& map,
                      const Layout& layout, unsigned bar, std::optional<bool> config_answers) {
    std::vector<Segment> segments;
    for (const Index index : dumped_spaces(map, layout, bar, dump.driver)) {
        const Space& space = map.spaces[index];
        if ((dump.version & space.dump_version_mask) == space.dump_version_value) {
            add_segments(map, layout, index, segments);
        }
    }
    std::string version;
    append_hex(version, dump.version);
    if (segments.empty()) {
        return fail(
            {.code = ErrorCode::refused,
             .cause = "driver-dump-unknown",
             .what = "the map does not know version " + version + " of " + dump.driver + "'s register dump",
             .where = interface,
             .remedy = "read the BAR instead (--source bar)"});
    }
    std::sort(segments.begin(), segments.end(),
              [](const Segment& a, const Segment& b) { return a.begin < b.begin; });

    OfflineContent content;
    content.description = "register dump of driver " + dump.driver + " for " + interface +
                          " (ETHTOOL_GREGS, version " + version + ")";
    content.size = segments.back().end;
    content.config_answers = config_answers;
    auto image = std::make_shared<const DumpImage>(DumpImage::from_bytes(std::move(dump.bytes), 0));
    content.fetch = [image,
                     segments = std::move(segments)](const safety::WordRequest& request) -> OfflineWord {
        auto next = std::upper_bound(segments.begin(), segments.end(), request.offset,
                                     [](std::uint64_t offset, const Segment& s) { return offset < s.begin; });
        if (next == segments.begin()) {
            return {};
        }
        const Segment& segment = *--next;
        const std::uint64_t inside = request.offset - segment.begin;
        if (request.offset >= segment.end || request.width / 8U > segment.end - request.offset) {
            return {};
        }
        const auto value = image->word(segment.at + inside, request.width, request.order);
        return {value, value ? safety::WordStatus::ok : safety::WordStatus::short_source};
    };
    return make_offline_source(std::move(content));
}

} // namespace barscope::tool
