// The format's formal half: JSON Schema draft-07.
#pragma once

#include <string_view>

#include <safety/error.h>

namespace barscope::regmaps {

std::string_view schema_text(); // regmap.schema.json as built in

// Checks one JSON text against the schema. The error names the JSON pointer, line and column of the deepest
// violation. load_map() does not need this: it checks everything that the schema says, and more.
Result<void> validate_against_schema(std::string_view text, std::string_view origin);

} // namespace barscope::regmaps
