// JSON text -> RegisterMap. Every rule of docs/regmap-format.md is checked here; the first violation is
// returned with file, JSON pointer, line and column. No device is touched; limits on size, depth and counts
// bound hostile input.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <regmaps/model.h>
#include <safety/error.h>

namespace barscope::regmaps {

// The JSON text of an included map, and where it came from.
struct MapText {
    std::string_view text;
    std::string origin;
};
using IncludeResolver = std::function<Result<MapText>(std::string_view name)>;

// `origin` is what errors and RegisterMap::origin call it (a path). The result does not refer to `text`.
Result<RegisterMap> load_map(std::string_view text, std::string_view origin, const IncludeResolver& include);

// A flat, position-independent image of a map (what the build embeds), and the map that uses one in place.
std::vector<std::byte> image_of(const RegisterMap& map);
Result<RegisterMap>
map_from_image(std::span<const std::byte> image); // `image` must outlive the result; 16-byte aligned

} // namespace barscope::regmaps
