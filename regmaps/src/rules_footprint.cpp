#include "rules_footprint.h"

namespace barscope::regmaps {

std::uint64_t Footprint::end(std::uint64_t bytes) const {
    std::uint64_t sum = start;
    bool overflow = __builtin_add_overflow(sum, bytes, &sum);
    for (unsigned i = 0; i < dim_count; ++i) {
        std::uint64_t span = 0;
        overflow = overflow || __builtin_mul_overflow(dims[i].count - 1, dims[i].stride, &span) ||
                   __builtin_add_overflow(sum, span, &sum);
    }
    return overflow ? UINT64_MAX : sum;
}

Footprints::Footprints(const Tables& tables) : tables_(tables) {
    blocks_.reserve(tables.blocks.size());
    for (std::size_t i = 0; i < tables.blocks.size(); ++i) { // a block stands behind its parent
        const Block& block = tables.blocks[i];
        Footprint place = block.parent == none ? Footprint{} : blocks_[block.parent];
        const std::uint64_t* const base = tables.constant(block.base);
        if (block.base != none && base == nullptr) {
            const bool conditional = place.conditional;
            place = {};
            place.conditional = conditional;
            place.anchor = static_cast<Index>(i);
        } else if (base != nullptr) {
            place.beyond_64_bits =
                place.beyond_64_bits || __builtin_add_overflow(place.start, *base, &place.start);
        }
        add_array(block.array, place);
        place.conditional = place.conditional || block.when != none;
        blocks_.push_back(place);
    }
}

void Footprints::add_array(const Array& array, Footprint& to) const {
    const std::uint64_t* const count = tables_.constant(array.count);
    const std::uint64_t* const stride = tables_.constant(array.stride);
    if (count != nullptr && stride != nullptr && *count > 1) {
        to.dims[to.dim_count++] = {*count, *stride};
    }
}

Footprint Footprints::of(const Register& reg) const {
    Footprint place = reg.block == none ? Footprint{} : blocks_[reg.block];
    place.beyond_64_bits =
        place.beyond_64_bits || __builtin_add_overflow(place.start, reg.offset, &place.start);
    place.conditional = place.conditional || reg.when != none;
    add_array(reg.array, place);
    return place;
}

std::uint64_t bytes_of(const Register& reg) {
    return reg.width / 8U;
}

std::string path_of(const Tables& tables, const Register& reg) {
    std::string path(tables.text(reg.name));
    for (Index block = reg.block; block != none; block = tables.blocks[block].parent) {
        path.insert(0, ".").insert(0, tables.text(tables.blocks[block].name));
    }
    return path;
}

} // namespace barscope::regmaps
