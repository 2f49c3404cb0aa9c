// Bit ranges and byte orders: the arithmetic that is easy to get wrong at 64 bits.
#pragma once

#include <cstdint>
#include <span>

#include <regmaps/model.h>

namespace barscope::regmaps {

// `bits` ones at the low end; 64 and more is all ones.
constexpr std::uint64_t low_mask(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

constexpr std::uint64_t bit_mask(unsigned lsb, unsigned msb) {
    return lsb > 63 ? 0 : low_mask(msb - lsb + 1) << lsb;
}

constexpr std::uint64_t bit_slice(std::uint64_t value, unsigned lsb, unsigned msb) {
    return lsb > 63 ? 0 : (value >> lsb) & low_mask(msb - lsb + 1);
}

// The word of `bytes.size()` (1 to 8) bytes.
constexpr std::uint64_t load_word(std::span<const std::uint8_t> bytes, safety::ByteOrder order) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t at = order == safety::ByteOrder::big ? i : bytes.size() - 1 - i;
        value = (value << 8) | bytes[at];
    }
    return value;
}

constexpr void store_word(std::span<std::uint8_t> bytes, safety::ByteOrder order, std::uint64_t value) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t at = order == safety::ByteOrder::little ? i : bytes.size() - 1 - i;
        bytes[at] = static_cast<std::uint8_t>(value);
        value >>= 8;
    }
}

} // namespace barscope::regmaps
