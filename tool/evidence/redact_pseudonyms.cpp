#include <evidence/redact_pseudonyms.h>

#include <algorithm>

#include <evidence/sha256.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

constexpr std::size_t pseudonym_digits = 8;
constexpr std::array<std::string_view, identity_kinds> names{
    "host", "domain", "user", "mac", "ip", "guid", "serial", "uuid", "cmdline", "path", "nqn", "word"};

} // namespace

std::string_view name(IdentityKind kind) {
    return names.at(static_cast<std::size_t>(kind));
}

std::string Pseudonyms::of(IdentityKind kind, std::string_view normal) {
    auto& known = made_.at(static_cast<std::size_t>(kind));
    const auto found = known.find(normal);
    if (found != known.end()) {
        return found->second;
    }
    // The kind belongs to the message: a user called like the host is somebody else.
    std::string message(name(kind));
    message += '\0';
    message += normal;
    std::string text(name(kind));
    text += '-';
    text += hmac_sha256_hex(key_.bytes, message).substr(0, pseudonym_digits);
    known.emplace(normal, text);
    return text;
}

std::string Pseudonyms::member() const {
    std::array<std::size_t, identity_kinds> order{};
    for (std::size_t i = 0; i < order.size(); ++i) {
        order.at(i) = i;
    }
    std::sort(order.begin(), order.end(),
              [](std::size_t a, std::size_t b) { return names.at(a) < names.at(b); });
    std::string text;
    JsonWriter json(text, JsonLayout::canonical);
    json.begin_object();
    json.member_bool("keyed", keyed());
    json.key("kinds");
    json.begin_object();
    for (const std::size_t kind : order) {
        if (!made_.at(kind).empty()) {
            json.member_number(names.at(kind), made_.at(kind).size());
        }
    }
    json.end_object();
    json.end_object();
    return text;
}

} // namespace barscope::tool
