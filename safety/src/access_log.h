#pragma once

#include <memory>
#include <string>

#include <safety/bar_mapping.h>

#include "system.h"

namespace barscope::safety {

// Why a pass ends when a load cannot be noted.
std::string unnoted_load(const Error& error);

Result<std::unique_ptr<AccessLog>> create_access_log_with(std::shared_ptr<System> system,
                                                          const std::string& path);

} // namespace barscope::safety
