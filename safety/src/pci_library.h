// libpci behind a border that its error callback cannot cross by ending the process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <safety/error.h>
#include <safety/gate.h>

struct pci_access;
struct pci_dev;

namespace barscope::safety {

// One function's configuration space, sysfs method, no bus scan, never writeable.
class PciLibraryDevice {
  public:
    static Result<PciLibraryDevice> open(const SystemRoot& root, const PciAddress& address);
    PciLibraryDevice(PciLibraryDevice&& other) noexcept;
    PciLibraryDevice& operator=(PciLibraryDevice&&) = delete;
    PciLibraryDevice(const PciLibraryDevice&) = delete;
    PciLibraryDevice& operator=(const PciLibraryDevice&) = delete;
    ~PciLibraryDevice();

    // One read of exactly `size` bytes (1, 2 or 4) at a multiple of `size`, into `bytes`. False where the
    // kernel gave fewer.
    bool read(std::uint32_t offset, std::uint8_t* bytes, unsigned size);
    const std::string& last_message() const { return message_; }

  private:
    PciLibraryDevice() = default;
    pci_access* access_ = nullptr;
    pci_dev* device_ = nullptr;
    std::string message_; // what libpci said about the last call that failed
};

} // namespace barscope::safety
