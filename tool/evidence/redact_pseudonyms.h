// What stands for an identity: its kind and eight digits that only the key's owner can make again.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <evidence/redact_key.h>

namespace barscope::tool {

enum class IdentityKind : std::uint8_t {
    host,
    domain,
    user,
    mac,
    ip,
    guid,
    serial,
    uuid,
    command_line,
    path,
    nqn,
    word, // a register's raw word
};
inline constexpr std::size_t identity_kinds = 12;
std::string_view name(IdentityKind kind); // "host", "cmdline", ... (stable: pseudonyms and JSON)

class Pseudonyms {
  public:
    explicit Pseudonyms(RedactionKey key) : key_(std::move(key)) {}

    // "mac-7f3a9c21". `normal`: the value in the one notation in which equal values are equal.
    std::string of(IdentityKind kind, std::string_view normal);

    bool keyed() const { return key_.keyed; }
    // {"keyed": true, "kinds": {"host": 1, ...}}: how many different values of each kind were replaced.
    std::string member() const;

  private:
    RedactionKey key_;
    std::array<std::map<std::string, std::string, std::less<>>, identity_kinds> made_;
};

} // namespace barscope::tool
