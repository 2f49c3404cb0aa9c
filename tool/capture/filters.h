// What --group, --space and --block leave in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <capture/options.h>
#include <regmaps/layout.h>

namespace barscope::tool {

// An error where a group, space or block is named that the map or the device does not have.
Result<void> check_filters(const regmaps::RegisterMap& map, const regmaps::Layout& layout,
                           const CaptureOptions& options);
bool passes(const regmaps::RegisterMap& map, const regmaps::Instance& instance,
            const CaptureOptions& options);
// The same as far as that can be told without an instance.
bool within_filters(const regmaps::RegisterMap& map, regmaps::Index reg, const CaptureOptions& options);

// Whether one of these texts is among those of the map.
bool shares_text(const regmaps::RegisterMap& map, regmaps::Range range,
                 const std::vector<std::string>& wanted);
// An error with the closest names where one is not known. `kind` is what the error calls it.
Result<void> check_names(const char* kind, const std::vector<std::string>& wanted,
                         const std::vector<std::string_view>& known);
std::vector<std::string_view> distinct(std::vector<std::string_view> names);

} // namespace barscope::tool
