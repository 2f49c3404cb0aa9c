// Configuration space from a dump: what decides where capabilities lie when there is no device.
#pragma once

#include <memory>
#include <string>

#include <device/dump_file.h>
#include <safety/config_space.h>

namespace barscope::tool {

std::shared_ptr<safety::ConfigSpace> make_memory_config(DumpImage image, std::string path);

} // namespace barscope::tool
