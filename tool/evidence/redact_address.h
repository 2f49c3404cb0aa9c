// Addresses and identifiers that can be told by their form alone: MAC addresses, EUI-64, GUIDs, IP addresses,
// UUIDs. Each is given in one notation in which equal values are equal; an EUI-64 or a link-local address
// that was made from a MAC address is that MAC address.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <evidence/redact_pseudonyms.h>

namespace barscope::tool {

struct Identity {
    IdentityKind kind = IdentityKind::mac;
    std::string normal;
    std::size_t size = 0; // characters of the text
};

using MacSet = std::set<std::string, std::less<>>; // twelve lower-case digits each

// What begins at `at`; nothing where no form fits, or the value says nothing (zeros, broadcast, loopback).
// IPv4 addresses look like versions: the caller knows the words around them.
std::optional<Identity> identity_at(std::string_view text, std::size_t at, const MacSet& known);
std::optional<Identity> ipv4_at(std::string_view text, std::size_t at);

// IEEE EUI-64 guidelines: the MAC address within, where ff fe in the middle says that there is one.
// `modified`: the second lowest bit of the first byte is turned over (RFC 4291, appendix A); a MAC address
// that is known decides.
std::optional<std::string> mac_of_eui64(std::string_view digits, bool modified, const MacSet& known);

// Sixteen digits of an EUI-64 made from a MAC address's twelve.
std::string eui64_of_mac(std::string_view digits, bool modified);

// The lower-case hex digits of a text; nothing else of it.
std::string hex_digits_of(std::string_view text);
// Whether all digits are 0 or all are f.
bool says_nothing(std::string_view digits);

bool is_word_character(char c); // letters, digits, '_', and bytes of other alphabets
bool is_hex_digit(char c);
std::string lower(std::string_view text); // ASCII

} // namespace barscope::tool
