// Identities of this machine that are known beforehand, searched for in every notation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <evidence/redact_address.h>
#include <evidence/redact_spans.h>

namespace barscope::tool {

class KnownIdentities {
  public:
    // Texts that are none (empty, zeros, "localhost", "root") are passed over.
    void add_name(IdentityKind kind, std::string_view text); // host, domain, user, serial, nqn
    void add_path(std::string_view text);
    // In any notation of it: a MAC address, an EUI-64 or GUID, an IPv6 address, a UUID.
    void add_address(std::string_view text);

    const MacSet& macs() const { return macs_; }
    // Digits of addresses, as bytes in memory order: also as made into an EUI-64.
    struct Bytes {
        std::string digits, normal;
        IdentityKind kind = IdentityKind::mac;
    };
    const std::vector<Bytes>& bytes() const { return bytes_; }

    void find_paths(std::string_view text, RedactedSpans& spans) const;
    void find_names(std::string_view text, RedactedSpans& spans) const;
    // Runs of hex digits, whatever stands between the bytes, in either byte order.
    void find_bytes(std::string_view text, RedactedSpans& spans) const;

  private:
    struct Name {
        std::string text, normal; // lower case
        IdentityKind kind = IdentityKind::host;
        bool anywhere = false; // also within words
    };
    static void find(const std::vector<Name>& names, std::string_view text, RedactedSpans& spans);
    void add_bytes(std::string digits, IdentityKind kind, const std::string& normal);

    std::vector<Name> names_, paths_; // the longest first
    std::vector<Bytes> bytes_;
    MacSet macs_;
};

} // namespace barscope::tool
