// Which commands give up their privileges before they look at anything that somebody else may have written.
#pragma once

#include <commands/arguments.h>

namespace barscope::tool {

// Commands that read files and write none need nothing else from the beginning. Others that read a device
// give up theirs when it is open: DeviceWatch.
bool reads_files_only(const Arguments& arguments);

} // namespace barscope::tool
