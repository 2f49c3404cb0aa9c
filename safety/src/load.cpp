#include "load.h"

#include "load_kernels.h"
#include "ticks.h"

namespace barscope::safety {
namespace {

template <typename T>
LoadResult load_as(const LoadOrder& order) {
    switch (order.timing) {
    case LoadTiming::counter:
        return load_timed<T, CounterClock>(order);
    case LoadTiming::monotonic_clock:
        return load_timed<T, MonotonicClock>(order);
    case LoadTiming::off:
        break;
    }
    return {order.contiguous ? load_contiguous<T>(order) : load_scattered<T>(order), 0};
}

} // namespace

LoadResult load_words(const LoadOrder& order) {
    switch (order.width) {
    case 8:
        return load_as<std::uint8_t>(order);
    case 16:
        return load_as<std::uint16_t>(order);
    case 32:
        return load_as<std::uint32_t>(order);
    case 64:
        // A host of 32 bits would make two loads of it; the check before refuses such words there.
        if constexpr (sizeof(void*) >= sizeof(std::uint64_t)) {
            return load_as<std::uint64_t>(order);
        }
        break;
    default:
        break;
    }
    return {};
}

} // namespace barscope::safety
