#include <device/selector.h>

#include <algorithm>

#include <device/discover.h>
#include <device/files.h>
#include <device/number.h>
#include <regmaps/names.h>

namespace barscope::tool {

namespace {

struct Ids {
    std::uint16_t vendor, device;
};

// "14e4:1750": exactly two groups of four hex digits, so that it is no address.
std::optional<Ids> parse_ids(std::string_view text) {
    if (text.size() != 9 || text[4] != ':') {
        return std::nullopt;
    }
    const auto vendor = parse_hex(text.substr(0, 4));
    const auto device = parse_hex(text.substr(5));
    if (!vendor || !device) {
        return std::nullopt;
    }
    return Ids{static_cast<std::uint16_t>(*vendor), static_cast<std::uint16_t>(*device)};
}

std::string join(const std::vector<std::string>& items, std::size_t limit) {
    std::string text;
    for (std::size_t i = 0; i < items.size() && i < limit; ++i) {
        text += (i == 0 ? "" : ", ") + items[i];
    }
    if (items.size() > limit) {
        text += ", ...";
    }
    return text;
}

Result<Target> by_ids(const safety::SystemRoot& root, Ids ids, const std::string& text) {
    std::vector<safety::PciAddress> fitting;
    for (const safety::PciAddress& address : list_addresses(root)) {
        const auto facts = safety::read_device_facts(root, address);
        if (facts && facts->vendor == ids.vendor && facts->device == ids.device) {
            fitting.push_back(address);
        }
    }
    if (fitting.size() == 1) {
        return fitting.front();
    }
    if (fitting.empty()) {
        return fail({.code = ErrorCode::absent,
                     .cause = "no-such-device",
                     .what = "no device has these ids",
                     .where = text,
                     .remedy = "`barscope list` shows what is there"});
    }
    std::vector<std::string> addresses;
    addresses.reserve(fitting.size());
    for (const safety::PciAddress& address : fitting) {
        addresses.push_back(to_string(address));
    }
    return fail({.code = ErrorCode::usage,
                 .cause = "ambiguous-device",
                 .what = std::to_string(fitting.size()) + " devices have these ids",
                 .where = text,
                 .remedy = "choose one: " + join(addresses, 16)});
}

// "resource" and "resourceN" look alike and neither is a dump: one is a table, the other is the device
// itself.
std::optional<Error> refuse_resource_path(const std::string& text) {
    const std::string_view name = last_component(text);
    if (!name.starts_with("resource")) {
        return std::nullopt;
    }
    const std::string_view rest = name.substr(8);
    if (rest.empty()) {
        return Error{
            .code = ErrorCode::refused,
            .cause = "resource-table",
            .what =
                "\"resource\" is the kernel's table of BARs, not a BAR; the BARs are resource0 to resource5",
            .where = text,
            .remedy = "name the device by its PCI address; the map knows the BAR"};
    }
    const bool bar = rest[0] >= '0' && rest[0] <= '5' && (rest.size() == 1 || rest.substr(1) == "_wc");
    if (!bar) {
        return std::nullopt;
    }
    return Error{
        .code = ErrorCode::refused,
        .cause = "resource-path",
        .what = "a BAR's file is not read by its path: that would go around the guard",
        .where = text,
        .remedy =
            "name the device by its PCI address, such as 0000:02:00.0; resource0 to resource5 are its BARs"};
}

Error unknown_device(const safety::SystemRoot& root, const std::string& text) {
    std::vector<std::string> candidates;
    for (const std::string_view device_class : {net_class, rdma_class, nvme_class}) {
        for (std::string& name : names_in_class(root, device_class)) {
            if (address_of_name(root, device_class, name)) {
                candidates.push_back(std::move(name));
            }
        }
    }
    const std::vector<std::string_view> views(candidates.begin(), candidates.end());
    std::string remedy = regmaps::did_you_mean(text, views);
    if (remedy.empty()) {
        remedy = candidates.empty()
                     ? "`barscope list` shows what is there"
                     : "names here: " + join(candidates, 12) + "; `barscope list` shows all devices";
    }
    return {.code = ErrorCode::absent,
            .cause = "no-such-device",
            .what = "no PCI address, interface, RDMA device, NVMe controller or file of this name",
            .where = text,
            .remedy = std::move(remedy)};
}

} // namespace

Result<Target> select_target(const safety::SystemRoot& root, const std::string& text) {
    if (auto refusal = refuse_resource_path(text)) {
        return fail(std::move(*refusal));
    }
    if (text.find('/') != std::string::npos) {
        return DumpFile{text};
    }
    if (const auto ids = parse_ids(text)) {
        return by_ids(root, *ids, text);
    }
    if (safety::looks_like_pci_address(text)) {
        auto address = safety::parse_pci_address(text);
        if (!address) {
            return fail(address.error());
        }
        return *address;
    }
    for (const std::string_view device_class : {net_class, rdma_class, nvme_class}) {
        if (const auto address = address_of_name(root, device_class, text)) {
            return *address;
        }
    }
    for (const std::string_view device_class : {net_class, rdma_class, nvme_class}) {
        const std::vector<std::string> names = names_in_class(root, device_class);
        if (std::binary_search(names.begin(), names.end(), text)) {
            return fail({.code = ErrorCode::absent,
                         .cause = "not-a-pci-device",
                         .what = "no PCI device stands behind this name (it may be virtual)",
                         .where = text,
                         .remedy = "`barscope list` shows the PCI devices and their names"});
        }
    }
    if (text == "-" || exists(text)) {
        return DumpFile{text};
    }
    return fail(unknown_device(root, text));
}

} // namespace barscope::tool
