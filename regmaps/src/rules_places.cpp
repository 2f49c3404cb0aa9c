// Arrays, alignment, and the bounds of spaces.
#include <algorithm>

#include <fmt/format.h>

#include "loader_state.h"
#include "rules.h"
#include "rules_footprint.h"

namespace barscope::regmaps {

namespace {

constexpr std::uint64_t config_size = 4096;

bool check_array(LoadState& state, const Array& array) {
    const Tables& tables = state.tables;
    const std::uint64_t* const count = tables.constant(array.count);
    const std::uint64_t* const stride = tables.constant(array.stride);
    if (count != nullptr && (*count == 0 || *count > max_elements)) {
        return state.fail(
            state.expression_places[array.count],
            *count == 0 ? std::string("an array without elements")
                        : fmt::format("an array of {} elements; at most {} are taken", *count, max_elements),
            "correct \"count\"");
    }
    return stride == nullptr || *stride != 0 || (count != nullptr && *count == 1) ||
           state.fail(state.expression_places[array.stride], "all elements would lie at the same place",
                      "give a stride in bytes");
}

// Where a register's bytes may be, and what its place is relative to.
struct Home {
    std::uint64_t base = 0;           // what is known to be added to every offset
    std::uint64_t limit = UINT64_MAX; // of offsets; UINT64_MAX: not known
};

Home home_of(const Tables& tables, const Space& space) {
    Home home;
    if (const std::uint64_t* const size = tables.constant(space.size)) {
        home.limit = *size;
    }
    if (space.kind != SpaceKind::bar) {
        home.limit = std::min(home.limit, config_size);
    }
    if (const std::uint64_t* const base = tables.constant(space.base)) {
        home.base = *base;
    }
    if (space.window_value != none) {
        home.base = space.window_at;
        home.limit = std::min(home.limit, space.window_size);
    }
    return home;
}

bool check_alignment(LoadState& state, Index index, const Footprint& place, const Home& home) {
    const Register& reg = state.tables.registers[index];
    const std::uint64_t unit = reg.split != safety::Split::none ? 4 : bytes_of(reg);
    if ((place.start + home.base) % unit != 0) {
        const bool could_split =
            reg.width == 64 && reg.split == safety::Split::none && (place.start + home.base) % 4 == 0;
        return state.fail(
            state.register_places[index],
            fmt::format("the {}-bit register \"{}\" is misaligned: {:#x} is not a multiple of {}", reg.width,
                        path_of(state.tables, reg), place.start + home.base, unit),
            could_split ? "add \"split\": \"hi_lo_hi\", or correct the offset" : "correct the offset",
            "map-misaligned");
    }
    const auto check_stride = [&](const Array& array) {
        const std::uint64_t* const stride = state.tables.constant(array.stride);
        const std::uint64_t* const count = state.tables.constant(array.count);
        return stride == nullptr || *stride % unit == 0 || (count != nullptr && *count == 1) ||
               state.fail(state.expression_places[array.stride],
                          fmt::format("with this stride the {}-bit register \"{}\" is misaligned", reg.width,
                                      path_of(state.tables, reg)),
                          fmt::format("use a multiple of {}", unit), "map-misaligned");
    };
    bool ok = check_stride(reg.array);
    for (Index block = reg.block; ok && block != none; block = state.tables.blocks[block].parent) {
        ok = check_stride(state.tables.blocks[block].array);
    }
    return ok;
}

bool check_bounds(LoadState& state, Index index, const Footprint& place, const Home& home) {
    const Register& reg = state.tables.registers[index];
    const std::uint64_t end = place.end(bytes_of(reg));
    if (place.beyond_64_bits || end == UINT64_MAX) {
        return state.fail(state.register_places[index],
                          fmt::format("the register \"{}\" lies beyond 64 bits", path_of(state.tables, reg)),
                          "correct the offset", "map-outside-space");
    }
    return place.anchor != none || end <= home.limit ||
           state.fail(
               state.register_places[index],
               fmt::format("the register \"{}\" ends at {:#x}, outside of its space \"{}\" of {:#x} bytes",
                           path_of(state.tables, reg), end,
                           state.tables.text(state.tables.spaces[reg.space].name), home.limit),
               "correct the offset, or the space's size", "map-outside-space");
}

} // namespace

bool check_arrays(LoadState& state) {
    for (const Block& block : state.tables.blocks) {
        if (block.array.count != none && !check_array(state, block.array)) {
            return false;
        }
    }
    for (const Register& reg : state.tables.registers) {
        if (reg.array.count != none && !check_array(state, reg.array)) {
            return false;
        }
        const std::uint64_t* const modulus = state.tables.constant(reg.modulus);
        if (modulus != nullptr && *modulus == 0) {
            return state.fail(state.expression_places[reg.modulus], "a modulus of 0",
                              "give what the value wraps at");
        }
    }
    return true;
}

bool check_places(LoadState& state) {
    const Footprints footprints(state.tables);
    std::vector<Home> homes;
    for (const Space& space : state.tables.spaces) {
        homes.push_back(home_of(state.tables, space));
    }
    for (Index i = 0; i < state.tables.registers.size(); ++i) {
        const Register& reg = state.tables.registers[i];
        const Footprint place = footprints.of(reg);
        if (!check_bounds(state, i, place, homes[reg.space]) ||
            !check_alignment(state, i, place, homes[reg.space])) {
            return false;
        }
    }
    return true;
}

} // namespace barscope::regmaps
