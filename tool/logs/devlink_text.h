// What devlink prints, of one device.
#pragma once

#include <string>
#include <string_view>

namespace barscope::tool {

// `devlink health show` wants the name of a reporter with a device's, and lists all devices without: the rows
// of the device "pci/0000:3b:00.0" and of its ports, with the headings that name them.
std::string devlink_section(std::string_view output, std::string_view device);

} // namespace barscope::tool
