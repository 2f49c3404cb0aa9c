// What `info` tells of a device, from a snapshot.
#pragma once

#include <device/examination.h>
#include <evidence/snapshot.h>

namespace barscope::tool {

// `map`: the one to name. What the snapshot does not say stays empty.
Result<Examination> recorded_examination(const Snapshot& snapshot, const regmaps::RegisterMap* map);

} // namespace barscope::tool
