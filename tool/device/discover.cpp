#include <device/discover.h>

#include <algorithm>

#include <device/files.h>

namespace barscope::tool {

namespace {

std::string class_path(const safety::SystemRoot& root, std::string_view device_class) {
    return root.path("/sys/class/" + std::string(device_class));
}

// ".../0000:00:01.0/0000:01:00.0/virtio0" -> 0000:01:00.0
std::optional<safety::PciAddress> last_address_in(std::string_view path) {
    while (!path.empty()) {
        const std::string_view component = last_component(path);
        if (safety::looks_like_pci_address(component)) {
            if (auto address = safety::parse_pci_address(component)) {
                return *address;
            }
        }
        const std::size_t slash = path.rfind('/');
        if (slash == std::string_view::npos) {
            break;
        }
        path = path.substr(0, slash);
    }
    return std::nullopt;
}

void add_class(const safety::SystemRoot& root, std::string_view device_class,
               std::vector<std::string> KernelNames::*member, NamesByAddress& out) {
    for (std::string& name : names_in_class(root, device_class)) {
        if (const auto address = address_of_name(root, device_class, name)) {
            (out[*address].*member).push_back(std::move(name));
        }
    }
}

} // namespace

std::vector<safety::PciAddress> list_addresses(const safety::SystemRoot& root) {
    std::vector<safety::PciAddress> addresses;
    for (const std::string& name : list_directory(root.path("/sys/bus/pci/devices"))) {
        if (auto address = safety::parse_pci_address(name)) {
            addresses.push_back(*address);
        }
    }
    std::sort(addresses.begin(), addresses.end());
    return addresses;
}

std::vector<std::string> names_in_class(const safety::SystemRoot& root, std::string_view device_class) {
    return list_directory(class_path(root, device_class));
}

std::optional<safety::PciAddress> address_of_name(const safety::SystemRoot& root,
                                                  std::string_view device_class, std::string_view name) {
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string_view::npos) {
        return std::nullopt;
    }
    const std::string link = class_path(root, device_class) + "/" + std::string(name) + "/device";
    // A copied tree may hold the link but not what it leads through: its text then still names the function.
    if (const auto real = resolve(link)) {
        return last_address_in(*real);
    }
    if (const auto text = link_text(link)) {
        return last_address_in(*text);
    }
    return std::nullopt;
}

NamesByAddress kernel_names(const safety::SystemRoot& root) {
    NamesByAddress names;
    add_class(root, net_class, &KernelNames::net, names);
    add_class(root, rdma_class, &KernelNames::rdma, names);
    add_class(root, nvme_class, &KernelNames::nvme, names);
    return names;
}

} // namespace barscope::tool
