// The members of a pattern file. Every mistake says where in the document it is.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <fwlog/patterns.h>

namespace barscope::fwlog::document {

using nlohmann::json;

// What went wrong, as "/patterns/3/fields/rc: ..."; thrown within the loader only.
struct Mistake {
    std::string where, what;
};

// "WHERE/KEY".
std::string below(std::string_view where, std::string_view key);

json member(const json& object, const char* key);
std::string text(const json& value, const std::string& where);
// Members that are not among the keys are mistakes.
void only(const json& object, const std::string& where, std::initializer_list<std::string_view> keys);
std::uint64_t number(std::string_view digits, const std::string& where);
EventKind event(const json& value, const std::string& where);
FieldKind kind(const std::string& word, const std::string& where);
// "cmdq[0x%{cookie}]=..." into literals and fields.
void split(std::string_view wording, Pattern& pattern, const std::string& where);

} // namespace barscope::fwlog::document
