// What to say where a name means nothing here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "select_match.h"
#include <safety/error.h>

namespace barscope::regmaps {

// No register or field of the map is called so: with the closest names.
Error unknown_name(const RegisterMap& map, std::string_view name);
// The map knows `matches`, but this device has none of them: with why.
Error no_instance(const RegisterMap& map, const Layout& layout, std::string_view name,
                  const std::vector<NameMatch>& matches);
Error unknown_group(const RegisterMap& map, std::string_view group);
Error group_without_instance(const RegisterMap& map, const Layout& layout, std::string_view group,
                             const std::vector<bool>& members);

} // namespace barscope::regmaps
