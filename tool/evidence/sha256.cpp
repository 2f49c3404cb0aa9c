#include <evidence/sha256.h>

#include <array>
#include <cstdint>

#include <nettle/hmac.h>
#include <nettle/sha2.h>

#include <render/digits.h>

namespace barscope::tool {

namespace {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

const std::uint8_t* data_of(std::string_view bytes) {
    return reinterpret_cast<const std::uint8_t*>(bytes.data()); // nettle's type for bytes
}

std::string hex(const Digest& digest) {
    std::string text;
    for (const std::uint8_t byte : digest) {
        append_hex_digits(text, byte, 2);
    }
    return text;
}

} // namespace

struct Sha256::State {
    sha256_ctx context{};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    sha256_init(&state_->context);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
    sha256_update(&state_->context, bytes.size(), data_of(bytes));
}

std::string Sha256::hex() {
    Digest digest{};
    sha256_digest(&state_->context, digest.size(), digest.data());
    return tool::hex(digest);
}

std::string sha256_hex(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.hex();
}

std::string hmac_sha256_hex(std::string_view key, std::string_view bytes) {
    hmac_sha256_ctx context{};
    hmac_sha256_set_key(&context, key.size(), data_of(key));
    hmac_sha256_update(&context, bytes.size(), data_of(bytes));
    Digest digest{};
    hmac_sha256_digest(&context, digest.size(), digest.data());
    return hex(digest);
}

} // namespace barscope::tool
