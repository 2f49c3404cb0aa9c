// What a snapshot says besides its words: Snapshot::head, asked by path. Whatever is missing is empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <evidence/snapshot.h>

namespace barscope::tool {

// A member of an object; null where it is not there, or this is no object.
const nlohmann::json* member(const nlohmann::json* object, std::string_view name);
// "device.driver.version"
const nlohmann::json* find_in_head(const Snapshot& snapshot, std::string_view path);

// A text as it is, a number or truth value as JSON writes it, a list's elements joined by ", "; empty where
// there is none.
std::string text_of(const nlohmann::json* value);
std::string text_in_head(const Snapshot& snapshot, std::string_view path);

// The elements of a list; an empty list where there is none.
const nlohmann::json& list_in_head(const Snapshot& snapshot, std::string_view path);

} // namespace barscope::tool
