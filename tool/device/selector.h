// What the user means by DEV.
#pragma once

#include <string>
#include <variant>

#include <safety/gate.h>

namespace barscope::tool {

struct DumpFile {
    std::string path;
};
using Target = std::variant<safety::PciAddress, DumpFile>;

// A PCI address, a network interface, an RDMA device, an NVMe controller, vendor:device where only one fits,
// or a file. An address is taken as it stands, whether the device exists or not: the guard says what became
// of it.
Result<Target> select_target(const safety::SystemRoot& root, const std::string& text);

} // namespace barscope::tool
