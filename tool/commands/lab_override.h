// The only place that can make a LabOverride: from both options on this very command line.
#pragma once

#include <optional>
#include <string>

#include <safety/error.h>
#include <safety/policy.h>

namespace barscope::tool {

class LabOverrideParser {
  public:
    // Nothing where neither was given; an error where only one was, or the reason says nothing.
    static Result<std::optional<safety::LabOverride>> from_options(bool flag,
                                                                   const std::optional<std::string>& reason);
};

} // namespace barscope::tool
