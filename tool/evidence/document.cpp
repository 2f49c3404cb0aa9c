#include <evidence/document.h>

#include <algorithm>

#include <evidence/canonical_json.h>
#include <evidence/sha256.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

using Hashes = std::vector<std::pair<std::string, std::string>>;

std::string hashes_text(Hashes hashes) {
    std::sort(hashes.begin(), hashes.end());
    std::string text;
    JsonWriter json(text, JsonLayout::canonical);
    json.begin_object();
    for (const auto& [name, hash] : hashes) {
        json.member(name, hash);
    }
    json.end_object();
    return text;
}

} // namespace

Result<std::string> member_hash(std::string_view text, const std::string& where) {
    auto canonical = canonical_json(text, where);
    if (!canonical) {
        return fail(std::move(canonical.error()));
    }
    return sha256_hex(*canonical);
}

std::string hash_as_written(std::string_view text) {
    // A line break within a text is escaped: those that stand there as they are lie between values.
    Sha256 hash;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        hash.add(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return hash.hex();
}

std::string document_hash(Hashes hashes) {
    return sha256_hex(hashes_text(std::move(hashes)));
}

Result<std::string> document_text(const std::vector<DocumentMember>& members) {
    std::string text = "{";
    Hashes hashes;
    for (const DocumentMember& member : members) {
        auto hash = member_hash(member.text, "member " + member.name);
        if (!hash) {
            return fail(std::move(hash.error()));
        }
        hashes.emplace_back(member.name, std::move(*hash));
        text += "\n\"" + member.name + "\":" + member.text + ",";
    }
    text += "\n\"integrity\":{\"algorithm\":\"sha256\",\"digest\":\"" + document_hash(hashes) +
            "\",\"members\":" + hashes_text(hashes) + "}\n}\n";
    return text;
}

} // namespace barscope::tool
