// Where the spaces of a map are: in which BAR, behind which capability, through which window.
#include "layout_placer.h"

#include <algorithm>

#include <fmt/format.h>

namespace barscope::regmaps {

namespace {

constexpr std::uint64_t conventional_config_size = 256; // PCI Local Bus 3.0, 6.1
constexpr std::uint64_t extended_config_size = 4096;    // PCI Express Base, 7.2
constexpr std::uint16_t express_capability = 0x10;
constexpr unsigned bar_count = 6;

const Indices no_indices{};

std::string capability_text(const Space& s) {
    if (s.kind == SpaceKind::extended_capability) {
        return fmt::format("extended capability {:#06x}", s.capability);
    }
    return fmt::format("capability {:#04x}", s.capability);
}

bool absent(PlacedSpace& out, std::string why) {
    out.state = SpaceState::absent;
    out.why = std::move(why);
    return false;
}

bool unknown(PlacedSpace& out, std::string why) {
    out.state = SpaceState::unknown;
    out.why = std::move(why);
    return false;
}

} // namespace

const PlacedSpace& Placer::space(Index index) {
    if (space_progress_[index] == Progress::untouched) {
        space_progress_[index] = Progress::under_way;
        unknown(spaces_[index], "its place depends on itself");
        spaces_[index] = place_space(map_.spaces[index]);
        space_progress_[index] = Progress::done;
    }
    return spaces_[index];
}

PlacedSpace Placer::place_space(const Space& s) {
    PlacedSpace out;
    out.config = s.kind != SpaceKind::bar;
    const Place top{no_indices};
    Reasons reasons;
    if (s.when != none && !holds(s.when, top, reasons)) {
        if (reasons.unknown.empty()) {
            absent(out, reasons.absent);
        } else {
            unknown(out, reasons.unknown);
        }
        return out;
    }
    if (!(out.config ? place_in_config(s, out) : place_in_bar(s, out))) {
        return out;
    }
    std::uint64_t base = 0;
    if (s.base != none) {
        const Outcome outcome = known(s.base, top);
        if (!outcome.value) {
            unknown(out, outcome.why);
            return out;
        }
        base = *outcome.value;
    }
    const std::uint64_t config_end =
        s.kind == SpaceKind::capability ? conventional_config_size : extended_config_size;
    const std::uint64_t start = out.base;
    if (__builtin_add_overflow(start, base, &out.base)) {
        unknown(out, "its base does not fit 64 bits");
        return out;
    }
    if (s.size != none) {
        const Outcome outcome = known(s.size, top);
        if (!outcome.value) {
            unknown(out, outcome.why);
            return out;
        }
        out.size = *outcome.value;
    } else {
        out.size = out.base < config_end ? config_end - out.base : 0;
    }
    if (s.window_select != none) {
        out.size = std::min(out.size, s.window_size - std::min(base, s.window_size));
    }
    out.state = SpaceState::present;
    place_window(s, out);
    return out;
}

bool Placer::place_in_bar(const Space& s, PlacedSpace& out) {
    const Outcome bar = known(s.bar, {no_indices});
    if (!bar.value) {
        return unknown(out, bar.why);
    }
    if (*bar.value >= bar_count) {
        return absent(out, fmt::format("there is no BAR {}", *bar.value));
    }
    out.bar = static_cast<unsigned>(*bar.value);
    if (s.window_select != none) {
        out.base = s.window_at;
    }
    return true;
}

bool Placer::place_in_config(const Space& s, PlacedSpace& out) {
    if (s.kind == SpaceKind::config) {
        return true;
    }
    if (!inputs_.capabilities) {
        return unknown(out, "configuration space was not read");
    }
    bool others = false;
    for (const std::uint32_t at :
         inputs_.capabilities(s.kind == SpaceKind::extended_capability, s.capability)) {
        others = true;
        if (s.where_width != 0) {
            const auto seen =
                inputs_.config ? inputs_.config(at + s.where_offset, s.where_width) : std::nullopt;
            if (!seen) {
                return unknown(
                    out, fmt::format("{} at {:#x} could not be read to the end", capability_text(s), at));
            }
            if (*seen != s.where_value) {
                continue;
            }
        }
        out.base = at;
        return true;
    }
    if (others) {
        return absent(out, fmt::format("no {} has {:#x} at its byte {}", capability_text(s), s.where_value,
                                       s.where_offset));
    }
    // An unprivileged reader gets 64 bytes, which hold no capability: that says nothing about the device.
    if (inputs_.config_size < conventional_config_size) {
        return unknown(out,
                       fmt::format("{} is not within the first {} bytes of configuration space, and no more "
                                   "could be read",
                                   capability_text(s), inputs_.config_size));
    }
    // A PCI Express function has 4096 bytes (PCI Express Base, 7.2): where fewer can be read, the extended
    // capabilities are out of sight.
    if (s.kind == SpaceKind::extended_capability && inputs_.config_size < extended_config_size &&
        !inputs_.capabilities(false, express_capability).empty()) {
        return unknown(out,
                       fmt::format("{} may lie beyond the {} bytes of configuration space that could be read",
                                   capability_text(s), inputs_.config_size));
    }
    return absent(out, capability_text(s) + " is not present");
}

void Placer::place_window(const Space& s, PlacedSpace& out) {
    if (s.window_select == none) {
        return;
    }
    const Located& select = locate(s.window_select, no_indices);
    if (select.state != SpaceState::present) {
        if (select.state == SpaceState::absent) {
            absent(out, select.why);
        } else {
            unknown(out, select.why);
        }
        return;
    }
    out.window_select = select.instance;
    out.window_value = known(s.window_value, {no_indices}).value;
}

} // namespace barscope::regmaps
