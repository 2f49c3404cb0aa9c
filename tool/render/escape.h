// Text from files, devices and the kernel made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace barscope::tool {

// As barscope::escaped(), without a copy in the usual case.
void append_safe(std::string& out, std::string_view text);
// The same for what stands in `out` from there on.
void make_safe(std::string& out, std::size_t from);

// How many columns it takes on a terminal, one a code point.
std::size_t columns(std::string_view text);

} // namespace barscope::tool
