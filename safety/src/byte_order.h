#pragma once

#include <bit>
#include <cstdint>

#include <safety/access.h>

namespace barscope::safety {

constexpr bool is_foreign(ByteOrder order) {
    return (order == ByteOrder::little) != (std::endian::native == std::endian::little);
}

constexpr std::uint64_t swap_bytes(std::uint64_t value, unsigned width) {
    switch (width) {
    case 16:
        return __builtin_bswap16(static_cast<std::uint16_t>(value));
    case 32:
        return __builtin_bswap32(static_cast<std::uint32_t>(value));
    case 64:
        return __builtin_bswap64(value);
    default:
        return value;
    }
}

// `loaded` as a host load of `width` bits gave it.
constexpr std::uint64_t to_host(std::uint64_t loaded, unsigned width, ByteOrder order) {
    return is_foreign(order) ? swap_bytes(loaded, width) : loaded;
}

} // namespace barscope::safety
