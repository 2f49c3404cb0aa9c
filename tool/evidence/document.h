// A snapshot's text, made from its members, and its hashes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

struct DocumentMember {
    std::string name, text; // text: JSON, canonical but for line breaks where it is long
};

// The members in their order, followed by `integrity`.
Result<std::string> document_text(const std::vector<DocumentMember>& members);

// SHA-256 over the canonical form of one member's text.
Result<std::string> member_hash(std::string_view text, const std::string& where);

// The same of text that is canonical but for line breaks, as barscope writes it: where this is the hash that
// the document states, nothing else has to be looked at.
std::string hash_as_written(std::string_view text);

// SHA-256 over the canonical object that has each member's hash under its name.
std::string document_hash(std::vector<std::pair<std::string, std::string>> hashes);

} // namespace barscope::tool
