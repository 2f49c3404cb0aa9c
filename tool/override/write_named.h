// A write to a register of the map.
#pragma once

#include <override/change_view.h>
#include <override/steps.h>

namespace barscope::tool {

Result<int> write_named(Context& context, const Subject& subject, const std::string& name,
                        const std::string& value);

} // namespace barscope::tool
