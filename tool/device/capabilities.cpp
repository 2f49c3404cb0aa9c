#include <device/capabilities.h>

#include <array>
#include <span>

namespace barscope::tool {

namespace {

// PCI Local Bus Specification 3.0, 6.2 and 6.7; PCI Express Base Specification, 7.6.
constexpr std::uint32_t status_register = 0x06;
constexpr std::uint32_t status_has_list = 0x10;
constexpr std::uint32_t header_type = 0x0e;
constexpr std::uint32_t cardbus_bridge = 2;
constexpr std::uint32_t first_extended = 0x100;
constexpr std::uint32_t config_end = 0x1000;
constexpr unsigned most_standard = (0x100 - 0x40) / 4;
constexpr unsigned most_extended = (config_end - first_extended) / 8;

void walk_standard(safety::ConfigSpace& config, std::vector<Capability>& out) {
    const auto status = config.read(status_register, 16);
    if (!status || *status == 0xffff || (*status & status_has_list) == 0) {
        return;
    }
    const bool cardbus = (config.read(header_type, 8).value_or(0) & 0x7f) == cardbus_bridge;
    auto pointer = config.read(cardbus ? 0x14 : 0x34, 8);
    std::array<bool, 0x100> seen{};
    for (unsigned i = 0; i < most_standard && pointer; ++i) {
        const std::uint32_t at = *pointer & 0xfc;
        if (at < 0x40 || seen[at]) {
            return;
        }
        seen[at] = true;
        const auto header = config.read(at, 16);
        if (!header || (*header & 0xff) == 0xff) {
            return;
        }
        out.push_back({static_cast<std::uint16_t>(*header & 0xff), at, false});
        pointer = *header >> 8;
    }
}

void walk_extended(safety::ConfigSpace& config, std::vector<Capability>& out) {
    std::array<bool, config_end> seen{};
    std::uint32_t at = first_extended;
    for (unsigned i = 0; i < most_extended && at >= first_extended && !seen[at]; ++i) {
        seen[at] = true;
        const auto header = config.read(at, 32);
        if (!header || *header == 0 || *header == 0xffffffff) {
            return;
        }
        out.push_back({static_cast<std::uint16_t>(*header & 0xffff), at, true});
        at = (*header >> 20) & 0xffc;
    }
}

struct Named {
    std::uint16_t id;
    std::string_view name;
};

// Code and ID Assignment Specification; the numbers are also in linux/pci_regs.h.
constexpr Named standard_names[] = {
    {0x01, "Power Management"},
    {0x02, "AGP"},
    {0x03, "Vital Product Data"},
    {0x04, "Slot Identification"},
    {0x05, "MSI"},
    {0x06, "CompactPCI Hot Swap"},
    {0x07, "PCI-X"},
    {0x08, "HyperTransport"},
    {0x09, "Vendor Specific"},
    {0x0a, "Debug Port"},
    {0x0b, "CompactPCI Resource"},
    {0x0c, "Hot-Plug"},
    {0x0d, "Bridge Subsystem ID"},
    {0x0e, "AGP 8x"},
    {0x0f, "Secure Device"},
    {0x10, "PCI Express"},
    {0x11, "MSI-X"},
    {0x12, "SATA Data/Index"},
    {0x13, "Advanced Features"},
    {0x14, "Enhanced Allocation"},
    {0x15, "Flattening Portal Bridge"},
};

constexpr Named extended_names[] = {
    {0x01, "Advanced Error Reporting"},
    {0x02, "Virtual Channel"},
    {0x03, "Device Serial Number"},
    {0x04, "Power Budgeting"},
    {0x05, "Root Complex Link Declaration"},
    {0x06, "Root Complex Internal Link Control"},
    {0x07, "Root Complex Event Collector Endpoint Association"},
    {0x08, "Multi-Function Virtual Channel"},
    {0x09, "Virtual Channel (with MFVC)"},
    {0x0a, "Root Complex Register Block"},
    {0x0b, "Vendor-Specific Extended"},
    {0x0d, "Access Control Services"},
    {0x0e, "Alternative Routing-ID Interpretation"},
    {0x0f, "Address Translation Services"},
    {0x10, "Single Root I/O Virtualization"},
    {0x11, "Multi-Root I/O Virtualization"},
    {0x12, "Multicast"},
    {0x13, "Page Request"},
    {0x15, "Resizable BAR"},
    {0x16, "Dynamic Power Allocation"},
    {0x17, "TPH Requester"},
    {0x18, "Latency Tolerance Reporting"},
    {0x19, "Secondary PCI Express"},
    {0x1b, "Process Address Space ID"},
    {0x1d, "Downstream Port Containment"},
    {0x1e, "L1 PM Substates"},
    {0x1f, "Precision Time Measurement"},
    {0x23, "Designated Vendor-Specific"},
    {0x24, "VF Resizable BAR"},
    {0x25, "Data Link Feature"},
    {0x26, "Physical Layer 16.0 GT/s"},
    {0x27, "Lane Margining at the Receiver"},
    {0x2a, "Physical Layer 32.0 GT/s"},
    {0x2b, "Alternate Protocol"},
    {0x2e, "Data Object Exchange"},
    {0x31, "Physical Layer 64.0 GT/s"},
};

} // namespace

std::vector<Capability> walk_capabilities(safety::ConfigSpace& config) {
    std::vector<Capability> found;
    walk_standard(config, found);
    walk_extended(config, found);
    return found;
}

std::vector<std::uint32_t> capability_offsets(safety::ConfigSpace& config, bool extended, std::uint16_t id) {
    std::vector<Capability> all;
    extended ? walk_extended(config, all) : walk_standard(config, all);
    std::vector<std::uint32_t> found;
    for (const Capability& capability : all) {
        if (capability.id == id) {
            found.push_back(capability.offset);
        }
    }
    return found;
}

std::string_view capability_name(bool extended, std::uint16_t id) {
    const std::span<const Named> names = extended ? std::span<const Named>(extended_names) : standard_names;
    for (const Named& entry : names) {
        if (entry.id == id) {
            return entry.name;
        }
    }
    return {};
}

} // namespace barscope::tool
