// PCI configuration space through libpci (sysfs method), opened read-only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <safety/access.h>
#include <safety/gate.h>

namespace barscope::safety {

class ConfigSpace {
  public:
    static Result<std::shared_ptr<ConfigSpace>> open(const SystemRoot& root, const PciAddress& address);
    virtual ~ConfigSpace() = default;
    // Width 8, 16 or 32; nothing where it lies beyond what the kernel lets this user read (64, 256 or 4096
    // bytes).
    virtual std::optional<std::uint32_t> read(std::uint32_t offset, unsigned width) = 0;
    virtual std::uint32_t size() const = 0;
    // Offsets of all capabilities of this id, in list order; loops and bad pointers end the walk.
    virtual std::vector<std::uint32_t> capabilities(std::uint8_t id) = 0;
    virtual std::vector<std::uint32_t> extended_capabilities(std::uint16_t id) = 0;
    virtual std::string path() const = 0;
    // Whether the function is there: its vendor word is not ffff. A VF's own vendor word is ffff by
    // specification (SR-IOV), so its physical function is asked instead.
    virtual bool answers();
};

class AccessLog; // bar_mapping.h

// Configuration space as a WordSource: one read of the declared width per word. In the access log it is
// "config".
std::unique_ptr<WordSource> make_config_source(std::shared_ptr<ConfigSpace> config,
                                               AccessLog* access_log = nullptr);

} // namespace barscope::safety
