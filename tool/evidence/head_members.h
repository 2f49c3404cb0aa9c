// The members of a snapshot that are neither words nor the map, as JSON text.
#pragma once

#include <string>
#include <vector>

#include <capture/capture.h>
#include <context/collector.h>
#include <device/examination.h>
#include <logs/collect.h>

namespace barscope::tool {

std::string created_member(); // now
std::string host_member(const safety::SystemRoot& root);
std::string device_member(const Examination& device, const Subject& subject, const Capture* capture,
                          const std::vector<Collected>& context);
// The device serial number as lspci writes it; empty: it has none, or it was not read.
std::string serial_number(const Subject& subject, const Capture* capture);
std::string context_member(const std::vector<Collected>& context);
std::string logs_member(const CollectedLog& log);
std::string checks_member(const Subject& subject, const Capture& capture);

} // namespace barscope::tool
