// What the kernel counts for a device, in files that a map names. Reading them asks nobody but the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <capture/subject.h>

namespace barscope::tool {

struct CounterReading {
    std::optional<std::uint64_t> value;
    std::string why; // there is none
};

// Parallel to RegisterMap::counters, as `wanted` is; where that is empty, so is the answer.
std::vector<CounterReading> read_kernel_counters(const Subject& subject, const std::vector<bool>& wanted);

} // namespace barscope::tool
