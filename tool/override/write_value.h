// "REG=VALUE" understood.
#pragma once

#include <string>

#include <override/merge.h>

namespace barscope::tool {

struct Assignment {
    std::string name, value;
};
Result<Assignment> split_assignment(const std::string& text);

// A number, or the name of an enumerated value of this field or register.
Result<std::uint64_t> parse_value(const regmaps::RegisterMap& map, regmaps::Index reg, regmaps::Index field,
                                  const std::string& text);
Result<std::uint64_t> parse_raw_value(const std::string& text, unsigned width);

} // namespace barscope::tool
