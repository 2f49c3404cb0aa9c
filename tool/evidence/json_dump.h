// A document's members as text.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace barscope::tool {

std::string dump_json(const nlohmann::json& value); // canonical
// One element a line, so that documents stay comparable line by line.
std::string dump_json_lines(const nlohmann::json& array);

} // namespace barscope::tool
