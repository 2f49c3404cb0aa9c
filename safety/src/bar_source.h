// The functions of bar_mapping.h with the system calls as a parameter.
#pragma once

#include <memory>

#include <safety/bar_mapping.h>

#include "system.h"

namespace barscope::safety {

Result<std::unique_ptr<WordSource>> open_bar_with(std::shared_ptr<System> system, const SystemRoot& root,
                                                  const DeviceFacts& facts, unsigned bar,
                                                  const BarOpenOptions& options);
Verdict probe_mapping_with(System& system, const SystemRoot& root, const DeviceFacts& facts, unsigned bar);

} // namespace barscope::safety
