// What single values of `rdma resource show` are, and the ways in which its JSON bends them.
#pragma once

#include <cstdint>
#include <string>

#include <capture/hwq.h>

namespace barscope::tool {

HwqValue hwq_number(const std::string& key, std::uint64_t value);
HwqValue hwq_text(const std::string& key, std::string value);
// Conclusions from several values of one object.
void add_remarks(HwqObject& object);

} // namespace barscope::tool
