// The gate: everything that is checked before the first access to a device, each check with its own verdict.
// Source of the rules: kernel drivers/pci/pci-sysfs.c, PCIe Base Specification (SR-IOV: VF vendor id and
// Memory Space Enable), docs/safety.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <safety/error.h>

namespace barscope::safety {

// A PCI function's address. The domain has up to 32 bits and is never masked.
struct PciAddress {
    std::uint32_t domain = 0;
    std::uint8_t bus = 0;
    std::uint8_t device = 0;   // 0..31
    std::uint8_t function = 0; // 0..7
    friend bool operator==(const PciAddress&, const PciAddress&) = default;
    // The 0 that clang-tidy 14 sees is in what the compiler makes of it.
    friend auto operator<=>(const PciAddress&, const PciAddress&) = default; // NOLINT(modernize-use-nullptr)
};

std::string to_string(const PciAddress& address); // "0000:02:00.0", "10001:80:05.0"

// "02:00.0", "0000:02:00.0", "10000:e1:00.0"; hex, either case. A missing domain is 0000. Impossible ones are
// an error.
Result<PciAddress> parse_pci_address(std::string_view text);
// True where the text has the shape of an address (so a failed parse is to be reported, not tried as another
// name).
bool looks_like_pci_address(std::string_view text);

// Where the system's files are: "/" or a copied or simulated tree.
class SystemRoot {
  public:
    SystemRoot() = default;
    explicit SystemRoot(std::string root);
    std::string path(std::string_view absolute) const; // "/sys/..." below the root
    bool is_live() const { return root_.empty(); }

  private:
    std::string root_; // no trailing slash; empty is "/"
};

// One row of sysfs `resource`. Flag bits: linux/ioport.h (IORESOURCE_IO 0x100, _MEM 0x200, _PREFETCH 0x2000,
// _MEM_64 0x100000) over the PCI BAR's own low bits.
enum class BarKind { absent, memory32, memory64, io, upper_half };
struct Bar {
    BarKind kind = BarKind::absent;
    std::uint64_t start = 0;
    std::uint64_t size = 0; // bytes
    std::uint64_t flags = 0;
    bool prefetchable = false;
};

struct Verdict {
    std::string check; // "device-present", "power-state", "memory-decode", "driver", "bar0", ...
    bool passed = false;
    std::string detail;           // what was seen
    std::optional<Error> refusal; // set where !passed
    bool checked = true;          // false: it could not be checked; passed, because that refuses nobody
};

// Who drives a function, told by the name of the driver that is bound.
enum class Owner { nobody, kernel_driver, virtual_machine, user_program };
Owner owner_of(std::string_view driver); // empty: none is bound
std::string_view name(Owner owner);      // "virtual-machine", ... (stable: JSON)
std::string_view explain(Owner owner);   // for people; empty for a kernel driver

// What sysfs says about one function without touching the device.
struct DeviceFacts {
    PciAddress address;
    std::uint16_t vendor = 0, device = 0, subsystem_vendor = 0, subsystem_device = 0;
    std::uint32_t class_code = 0; // 24 bits
    std::uint8_t revision = 0;
    std::string driver;                          // empty: none bound
    std::string power_state;                     // "D0", "D3hot", ...; empty: the kernel does not say
    std::string runtime_status;                  // "active", "suspended", ...; empty: not said
    std::optional<PciAddress> physical_function; // set for a VF
    std::array<Bar, 6> bars{};
    std::string directory; // path below which the device's files are
};

Result<DeviceFacts> read_device_facts(const SystemRoot& root, const PciAddress& address);

struct GateOptions {
    bool allow_vfio = false; // --allow-vfio: the user takes a virtual machine's device on purpose
};

// Everything that must hold before any BAR of the device is read. Reads configuration space; maps nothing.
std::vector<Verdict> check_device(const SystemRoot& root, const DeviceFacts& facts,
                                  const GateOptions& options);
// Whether one BAR can be read at all (memory BAR, has a size, file is there). Opens nothing.
Verdict check_bar(const SystemRoot& root, const DeviceFacts& facts, unsigned bar);
// The first refusal among them, if any.
std::optional<Error> first_refusal(const std::vector<Verdict>& verdicts);

} // namespace barscope::safety
