#include <evidence/redact_address.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include <arpa/inet.h>

#include <evidence/redact_digits.h>

namespace barscope::tool {

namespace {

constexpr std::size_t mac_bytes = 6, eui64_bytes = 8;

bool begins_here(std::string_view text, std::size_t at) {
    return at == 0 || !is_word_character(text[at - 1]);
}
bool ends_here(std::string_view text, std::size_t at) {
    return at >= text.size() || !is_word_character(text[at]);
}

// Groups of `digits` hex digits each, with one separator between them: how many, and where they end.
struct Groups {
    std::size_t count = 0, end = 0;
    std::string digits;
};
Groups groups_at(std::string_view text, std::size_t at, std::size_t size, char separator) {
    Groups groups;
    for (std::size_t i = at;;) {
        std::size_t length = 0;
        while (i + length < text.size() && length < size && is_hex_digit(text[i + length])) {
            ++length;
        }
        if (length != size || (i + size < text.size() && is_word_character(text[i + size]))) {
            break; // another kind of group: what was found so far does not end here
        }
        groups.digits += lower(text.substr(i, size));
        groups.end = i + size;
        ++groups.count;
        i += size;
        if (i >= text.size() || text[i] != separator) {
            return groups;
        }
        ++i;
    }
    return groups;
}

Identity eui64(std::string digits, bool modified, std::size_t size, const MacSet& known) {
    if (auto mac = mac_of_eui64(digits, modified, known)) {
        return {IdentityKind::mac, std::move(*mac), size};
    }
    return {IdentityKind::guid, std::move(digits), size};
}

// 00:00:01:00:00:02 and longer ones: EUI-64, addresses of InfiniBand interfaces, whole Ethernet headers.
std::optional<Identity> bytes_at(std::string_view text, std::size_t at, const MacSet& known) {
    for (const char separator : {':', '-'}) {
        Groups groups = groups_at(text, at, 2, separator);
        if (groups.count >= mac_bytes) {
            const std::size_t size = groups.end - at;
            if (groups.count == eui64_bytes) {
                return eui64(std::move(groups.digits), false, size, known);
            }
            std::string turned = bytes_reversed(groups.digits);
            return Identity{IdentityKind::mac,
                            known.contains(turned) ? std::move(turned) : std::move(groups.digits), size};
        }
    }
    return std::nullopt;
}

// 0200:01ff:fe00:0002 (GUIDs in sysfs), 0000.0100.0002 (MAC addresses in switches' notation).
std::optional<Identity> words_at(std::string_view text, std::size_t at, const MacSet& known) {
    for (const char separator : {':', '-'}) {
        Groups groups = groups_at(text, at, 4, separator);
        const bool more = groups.end + 1 < text.size() && text[groups.end] == separator &&
                          is_hex_digit(text[groups.end + 1]);
        if (groups.count == 4 && !more) {
            return eui64(std::move(groups.digits), true, groups.end - at, known);
        }
    }
    Groups dotted = groups_at(text, at, 4, '.');
    if (dotted.count == 3) {
        return Identity{IdentityKind::mac, std::move(dotted.digits), dotted.end - at};
    }
    return std::nullopt;
}

std::optional<Identity> uuid_at(std::string_view text, std::size_t at) {
    constexpr std::array<std::size_t, 5> sizes{8, 4, 4, 4, 12};
    std::string digits;
    std::size_t i = at;
    for (std::size_t group = 0; group < sizes.size(); ++group) {
        for (std::size_t n = 0; n < sizes.at(group); ++n, ++i) {
            if (i >= text.size() || !is_hex_digit(text[i])) {
                return std::nullopt;
            }
        }
        if (group + 1 < sizes.size() && (i >= text.size() || text[i++] != '-')) {
            return std::nullopt;
        }
    }
    return ends_here(text, i)
               ? std::optional(Identity{IdentityKind::uuid, hex_digits_of(text.substr(at, i - at)), i - at})
               : std::nullopt;
}

std::string ipv4_text(const std::uint8_t* bytes) {
    std::array<char, INET_ADDRSTRLEN> text{};
    return ::inet_ntop(AF_INET, bytes, text.data(), text.size()) == nullptr ? std::string() : text.data();
}

Identity ipv6(const std::array<std::uint8_t, 16>& bytes, std::size_t size, const MacSet& known) {
    const bool zeros = std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; });
    if (zeros && bytes[10] == 0xff && bytes[11] == 0xff) { // RFC 4291, 2.5.5.2
        return {IdentityKind::ip, ipv4_text(bytes.data() + 12), size};
    }
    std::string digits;
    for (const std::uint8_t byte : bytes) {
        digits += "0123456789abcdef"[byte >> 4];
        digits += "0123456789abcdef"[byte & 15];
    }
    if (digits.starts_with("fe80")) {
        if (auto mac = mac_of_eui64(std::string_view(digits).substr(16), true, known)) {
            return {IdentityKind::mac, std::move(*mac), size};
        }
    }
    return {IdentityKind::ip, std::move(digits), size};
}

// Letters alone ("add::fec") are names of something more often than addresses.
bool looks_like_ipv6(std::string_view text, bool network) {
    const auto colons = std::count(text.begin(), text.end(), ':');
    const auto digits = std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (text.ends_with("::") && colons == 2 && !network) {
        return false;
    }
    return colons >= 2 && (digits > 0 || colons > 3);
}

std::optional<Identity> ipv6_at(std::string_view text, std::size_t at, const MacSet& known) {
    std::size_t end = at;
    while (end < text.size() && end - at < INET6_ADDRSTRLEN &&
           (is_hex_digit(text[end]) || text[end] == ':' || text[end] == '.')) {
        ++end;
    }
    for (; end > at + 2; --end) {
        if (!ends_here(text, end)) {
            continue;
        }
        const std::string candidate(text.substr(at, end - at));
        std::array<std::uint8_t, 16> bytes{};
        if (looks_like_ipv6(candidate, end < text.size() && text[end] == '/') &&
            ::inet_pton(AF_INET6, candidate.c_str(), bytes.data()) == 1) {
            return ipv6(bytes, end - at, known);
        }
    }
    return std::nullopt;
}

bool loopback(const Identity& found) {
    return found.kind == IdentityKind::ip && found.normal == "00000000000000000000000000000001";
}

// "10.0.0.1-10.0.0.9" is two addresses, "5.15.0.91-generic" is a version.
bool goes_on_as_version(std::string_view text, std::size_t end) {
    if (end >= text.size()) {
        return false;
    }
    const char next = text[end];
    if (next == '.') {
        return end + 1 < text.size() && is_word_character(text[end + 1]);
    }
    return is_word_character(next) || next == '+' || next == '~' ||
           (next == '-' && !(end + 1 < text.size() && ipv4_at(text, end + 1)));
}

} // namespace

bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

std::string hex_digits_of(std::string_view text) {
    std::string out = lower(text);
    std::erase_if(out, [](char c) { return !is_hex_digit(c); });
    return out;
}

bool says_nothing(std::string_view digits) {
    return digits.find_first_not_of('0') == std::string_view::npos ||
           digits.find_first_not_of('f') == std::string_view::npos;
}

std::string eui64_of_mac(std::string_view digits, bool modified) {
    std::string eui(digits.substr(0, 6));
    eui += "fffe";
    eui += digits.substr(6);
    if (modified) {
        const char second = eui[1];
        const int value = second <= '9' ? second - '0' : second - 'a' + 10;
        eui[1] = "0123456789abcdef"[value ^ 2];
    }
    return eui;
}

std::optional<std::string> mac_of_eui64(std::string_view digits, bool modified, const MacSet& known) {
    if (digits.size() != 2 * eui64_bytes || digits.substr(6, 4) != "fffe") {
        return std::nullopt;
    }
    const std::string plain = std::string(digits.substr(0, 6)) + std::string(digits.substr(10));
    const std::string turned = hex_digits_of(eui64_of_mac(plain, true).erase(6, 4));
    if (known.contains(plain) != known.contains(turned)) {
        return known.contains(plain) ? plain : turned;
    }
    return modified ? turned : plain;
}

std::optional<Identity> ipv4_at(std::string_view text, std::size_t at) {
    if (!begins_here(text, at) || (at > 0 && text[at - 1] == '.') ||
        (at > 1 && text[at - 1] == '-' && !(text[at - 2] >= '0' && text[at - 2] <= '9'))) {
        return std::nullopt;
    }
    std::size_t end = at;
    std::size_t dots = 0;
    while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') ||
                                 (text[end] == '.' && dots < 3 && end > at && text[end - 1] != '.'))) {
        dots += text[end] == '.' ? 1U : 0U;
        ++end;
    }
    std::array<std::uint8_t, 4> bytes{};
    const std::string candidate(text.substr(at, end - at));
    if (dots != 3 || ::inet_pton(AF_INET, candidate.c_str(), bytes.data()) != 1 ||
        goes_on_as_version(text, end)) {
        return std::nullopt;
    }
    if (bytes[0] == 127 || bytes[0] == 255 || candidate == "0.0.0.0") {
        return std::nullopt; // loopback, network masks
    }
    return Identity{IdentityKind::ip, ipv4_text(bytes.data()), end - at};
}

std::optional<Identity> identity_at(std::string_view text, std::size_t at, const MacSet& known) {
    if (!begins_here(text, at) || !(is_hex_digit(text[at]) || text.substr(at, 2) == "::")) {
        return std::nullopt;
    }
    std::optional<Identity> found = uuid_at(text, at);
    if (!found) {
        found = bytes_at(text, at, known);
    }
    if (!found) {
        found = ipv6_at(text, at, known);
    }
    if (!found) {
        found = words_at(text, at, known);
    }
    if (!found || says_nothing(found->normal) || loopback(*found)) {
        return std::nullopt;
    }
    return found;
}

} // namespace barscope::tool
