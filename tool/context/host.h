// The machine at a moment: what a snapshot says of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <safety/gate.h>

namespace barscope::tool {

// "kernel", "architecture", "distribution", "lockdown", "bootId", "hostName", "user", "uptime",
// "kernelCommandLine": those that are known, in alphabetical order.
std::vector<std::pair<std::string, std::string>> host_facts(const safety::SystemRoot& root);

} // namespace barscope::tool
