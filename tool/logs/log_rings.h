// The rings in device memory that a map's `logs` describes, read under the same guard as registers.
#pragma once

#include <vector>

#include <capture/options.h>
#include <capture/subject.h>
#include <logs/log_inputs.h>

namespace barscope::tool {

// One input for each of the map's logs; those that could not be read with the reason. Nothing is opened where
// the map has none.
std::vector<LogInput> read_rings(const std::shared_ptr<const Subject>& subject,
                                 const CaptureOptions& options);

} // namespace barscope::tool
