// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), by nettle.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace barscope::tool {

// Of pieces that follow one another.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    void add(std::string_view bytes);
    std::string hex(); // and begins anew

  private:
    struct State;
    std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes); // 64 lower-case digits
std::string hmac_sha256_hex(std::string_view key, std::string_view bytes);

} // namespace barscope::tool
