#include <evidence/redact_key.h>

#include <cerrno>

#include <sys/random.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

constexpr std::size_t random_bytes = 32;
constexpr std::size_t largest_key = std::size_t{1} << 20;

Result<RedactionKey> random_key() {
    RedactionKey key;
    key.bytes.resize(random_bytes);
    // Up to 256 bytes are given whole or not at all (getrandom(2)).
    ssize_t got = 0;
    do {
        got = ::getrandom(key.bytes.data(), key.bytes.size(), 0);
    } while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(key.bytes.size())) {
        return fail({.code = ErrorCode::permission,
                     .cause = "no-random-key",
                     .what = "the kernel gives no random bytes for a key: " + errno_text(errno),
                     .where = "getrandom",
                     .remedy = "name a file with --redact-key"});
    }
    return key;
}

} // namespace

Result<RedactionKey> redaction_key(const std::string& path) {
    if (path.empty()) {
        return random_key();
    }
    auto bytes = read_user_file(path, largest_key);
    if (!bytes) {
        return fail(std::move(bytes.error()));
    }
    if (bytes->size() < shortest_redaction_key) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "short-redaction-key",
                     .what = bytes->empty() ? "the key file is empty"
                                            : "the key file holds " + std::to_string(bytes->size()) +
                                                  " bytes, which can be guessed",
                     .where = path,
                     .remedy = "write at least " + std::to_string(shortest_redaction_key) +
                               " random bytes into it: head -c 32 /dev/urandom > FILE"});
    }
    return RedactionKey{std::move(*bytes), true};
}

} // namespace barscope::tool
