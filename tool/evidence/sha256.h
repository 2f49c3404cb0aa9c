// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), by nettle.
#pragma once

#include <string>
#include <string_view>

namespace barscope::tool {

std::string sha256_hex(std::string_view bytes); // 64 lower-case digits
std::string hmac_sha256_hex(std::string_view key, std::string_view bytes);

} // namespace barscope::tool
