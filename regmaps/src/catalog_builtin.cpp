#include "catalog_builtin.h"

#include <algorithm>

// Put in by the build (CMakeLists.txt).
extern "C" {
extern const std::byte barscope_builtin_maps[];
extern const std::byte barscope_builtin_maps_end[];
}

namespace barscope::regmaps {

BlobView builtin_maps() {
    return view_blob({barscope_builtin_maps, barscope_builtin_maps_end});
}

const BlobEntry* find_builtin(const BlobView& maps, std::string_view name) {
    const auto at = std::lower_bound(
        maps.entries.begin(), maps.entries.end(), name,
        [&](const BlobEntry& entry, std::string_view wanted) { return maps.text(entry.name) < wanted; });
    return at != maps.entries.end() && maps.text(at->name) == name ? &*at : nullptr;
}

} // namespace barscope::regmaps
