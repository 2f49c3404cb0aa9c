#include <safety/gate.h>

#include <algorithm>

#include <fmt/format.h>

#include "text.h"

namespace barscope::safety {
namespace {

bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

struct Parts {
    std::string_view domain; // empty: not given
    std::string_view bus, device, function;
};

// [DOMAIN:]BUS:DEVICE.FUNCTION of hex digits, whatever their number.
std::optional<Parts> split(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) {
        return std::nullopt;
    }
    Parts parts;
    parts.function = text.substr(dot + 1);
    std::string_view rest = text.substr(0, dot);
    const std::size_t last = rest.rfind(':');
    if (last == std::string_view::npos) {
        return std::nullopt;
    }
    parts.device = rest.substr(last + 1);
    rest = rest.substr(0, last);
    const std::size_t first = rest.find(':');
    const bool has_domain = first != std::string_view::npos;
    parts.domain = has_domain ? rest.substr(0, first) : std::string_view{};
    parts.bus = has_domain ? rest.substr(first + 1) : rest;
    const auto all_hex = [](std::string_view part) {
        return !part.empty() && std::all_of(part.begin(), part.end(), is_hex_digit);
    };
    if ((has_domain && !all_hex(parts.domain)) || !all_hex(parts.bus) || !all_hex(parts.device) ||
        !all_hex(parts.function)) {
        return std::nullopt;
    }
    return parts;
}

tl::unexpected<Error> refuse(std::string_view text, std::string why) {
    return fail({ErrorCode::usage, "bad-address", fmt::format("impossible PCI address '{}': {}", text, why),
                 "", "write [DOMAIN:]BUS:DEVICE.FUNCTION in hexadecimal, such as 0000:02:00.0"});
}

} // namespace

std::string to_string(const PciAddress& address) {
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", address.domain, address.bus, address.device,
                       address.function);
}

bool looks_like_pci_address(std::string_view text) {
    return split(text).has_value();
}

Result<PciAddress> parse_pci_address(std::string_view text) {
    const std::optional<Parts> parts = split(text);
    if (!parts) {
        return refuse(text, "not of the form [DOMAIN:]BUS:DEVICE.FUNCTION");
    }
    if (parts->domain.size() > 8) {
        return refuse(text, "a domain has 1 to 8 hexadecimal digits");
    }
    if (parts->bus.size() > 2) {
        return refuse(text, "a bus has 1 or 2 hexadecimal digits");
    }
    const std::optional<std::uint64_t> device = parse_hex(parts->device);
    if (!device || *device > 0x1f || parts->device.size() > 2) {
        return refuse(text, fmt::format("device {} is greater than 1f", parts->device));
    }
    const std::optional<std::uint64_t> function = parse_hex(parts->function);
    if (!function || *function > 7 || parts->function.size() > 1) {
        return refuse(text, fmt::format("function {} is greater than 7", parts->function));
    }
    PciAddress address;
    address.domain = static_cast<std::uint32_t>(parse_hex(parts->domain).value_or(0));
    address.bus = static_cast<std::uint8_t>(parse_hex(parts->bus).value_or(0));
    address.device = static_cast<std::uint8_t>(*device);
    address.function = static_cast<std::uint8_t>(*function);
    return address;
}

} // namespace barscope::safety
