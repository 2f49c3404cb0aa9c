// Which PCI functions a machine has and what the kernel calls them. Reads names and links only, no device.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <safety/gate.h>

namespace barscope::tool {

// All functions below /sys/bus/pci/devices, in order of address.
std::vector<safety::PciAddress> list_addresses(const safety::SystemRoot& root);

// The names by which people know a function.
struct KernelNames {
    std::vector<std::string> net, rdma, nvme;
};
using NamesByAddress = std::map<safety::PciAddress, KernelNames>;
NamesByAddress kernel_names(const safety::SystemRoot& root);

// The classes of names, as in /sys/class/CLASS/NAME/device.
inline constexpr std::string_view net_class = "net";
inline constexpr std::string_view rdma_class = "infiniband";
inline constexpr std::string_view nvme_class = "nvme";

// The PCI function behind /sys/class/CLASS/NAME; the nearest one where others (virtio) lie between.
std::optional<safety::PciAddress> address_of_name(const safety::SystemRoot& root,
                                                  std::string_view device_class, std::string_view name);
std::vector<std::string> names_in_class(const safety::SystemRoot& root, std::string_view device_class);

} // namespace barscope::tool
