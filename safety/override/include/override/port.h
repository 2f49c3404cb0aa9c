// The one door through which a device is changed: single stores of exact width, and single loads whose side
// effect is wanted. Every function takes proof that lab override stood on the command line. Knows offsets and
// widths, no register names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <safety/access.h>
#include <safety/gate.h>
#include <safety/policy.h>

namespace barscope::safety {

// `stores` opens for writing, `loads` for reading only.
enum class PortUse : std::uint8_t { loads, stores };

// One word, and what its map allows there.
struct PortWord {
    std::uint64_t offset = 0; // bytes from the start of the BAR or of configuration space
    std::uint8_t width = 32;  // bits: 8, 16, 32, 64
    ByteOrder order = ByteOrder::little;
    Split split = Split::none;
    std::uint64_t size_limit = UINT64_MAX; // end of the map's space
    std::uint8_t legal_widths = 0xf;       // as in SpacePlan
};

class OverridePort {
  public:
    // The gate must have passed. The file is opened, and one page mapped and unmapped again, without any
    // access to the device: a refusal is an error now.
    static Result<std::unique_ptr<OverridePort>> open_bar(const LabOverride& proof, const SystemRoot& root,
                                                          const DeviceFacts& facts, unsigned bar,
                                                          PortUse use);
    static Result<std::unique_ptr<OverridePort>> open_config(const LabOverride& proof, const SystemRoot& root,
                                                             const DeviceFacts& facts, PortUse use);
    virtual ~OverridePort() = default;

    // Whether one access of this width can be made there at all: bounds, alignment, width. Touches nothing.
    virtual Result<void> check(const PortWord& word) const = 0;
    // One load, or one store, of exactly the declared width. An error means that it was not made, or (cause
    // "access-faulted") that it faulted on its way.
    virtual Result<std::uint64_t> load(const LabOverride& proof, const PortWord& word) = 0;
    virtual Result<void> store(const LabOverride& proof, const PortWord& word, std::uint64_t value) = 0;
    virtual std::string describe() const = 0;
};

} // namespace barscope::safety
