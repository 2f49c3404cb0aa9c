// The functions of port.h with the system calls as a parameter.
#pragma once

#include <memory>

#include <override/port.h>

#include "system_calls.h"

namespace barscope::safety {

Result<std::unique_ptr<OverridePort>> open_bar_port_with(std::shared_ptr<OverrideSystem> system,
                                                         const SystemRoot& root, const DeviceFacts& facts,
                                                         unsigned bar, PortUse use);
Result<std::unique_ptr<OverridePort>> open_config_port_with(std::shared_ptr<OverrideSystem> system,
                                                            const SystemRoot& root, const DeviceFacts& facts,
                                                            PortUse use);

// Why this access cannot be made; `bounds` and `source_widths` are the source's.
Result<void> check_port_word(const PortWord& word, std::uint64_t size, std::uint64_t readable,
                             std::uint8_t source_widths, const std::string& path);
// An access that a file opened for reading only cannot make.
Error not_opened_for_stores(const std::string& path);

} // namespace barscope::safety
