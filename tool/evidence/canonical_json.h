// JSON in one canonical form, so that a hash stands for the content and not for its layout: members sorted by
// key (code points), no white space, strings with the shortest escapes, numbers as written. For documents
// without fractions this is RFC 8785, and what Python's json.dumps(x, sort_keys=True, separators=(',', ':'),
// ensure_ascii=False) gives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

inline constexpr unsigned deepest_json = 64;

// Strict: refuses what RFC 8259 does not allow, duplicate keys and deep nesting. `where` names the file in
// errors. Takes text that is canonical but for white space at about the speed of copying it.
Result<std::string> canonical_json(std::string_view text, const std::string& where);

struct JsonMember {
    std::string_view key, text; // as written; a key with escapes is refused
};
// The members of the object that `text` is, in their order. Inside them only brackets and strings are looked
// at, and where a value begins with `known`, a whole value that was looked at before, not even those.
Result<std::vector<JsonMember>> split_members(std::string_view text, const std::string& where,
                                              std::string_view known = {});
// The same by lines, for a document that barscope wrote, whose members begin lines: no more than a guess,
// which the hashes of what it finds confirm or not. Empty: the text is not of that form.
std::vector<JsonMember> guess_members(std::string_view text);
// The elements of the array that `text` is.
Result<std::vector<std::string_view>> split_elements(std::string_view text, const std::string& where);

} // namespace barscope::tool
