// The maps that are part of the executable.
#pragma once

#include "image_catalog.h"

namespace barscope::regmaps {

BlobView builtin_maps();
const BlobEntry* find_builtin(const BlobView& maps, std::string_view name); // nullptr: there is none

} // namespace barscope::regmaps
