// Values that only the user knows: derived values that the map marks as parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <regmaps/model.h>
#include <safety/error.h>

namespace barscope::regmaps {

struct Parameter {
    std::string name;
    std::uint64_t value = 0;
};

// The map with these values in place. Unknown name, or no parameter: an error that says what there is.
Result<RegisterMap> with_parameters(const RegisterMap& map, const std::vector<Parameter>& parameters);

} // namespace barscope::regmaps
