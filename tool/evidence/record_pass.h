// A pass over a live device as a snapshot keeps it.
#pragma once

#include <capture/capture.h>
#include <capture/recording.h>

namespace barscope::tool {

RecordedPass record_pass(const regmaps::RegisterMap& map, const Capture& capture);

} // namespace barscope::tool
