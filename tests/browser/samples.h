// Reports made by hand: what the renderers' tests look at. No value comes from a device.
#pragma once

#include <cstddef>
#include <string>

#include <evidence/report.h>

namespace samples {

barscope::tool::Report difference();
barscope::tool::Report snapshot();
// Every text is `text`.
barscope::tool::Report hostile(const std::string& text);
// What tries to break out of text, JSON, Markdown and HTML at once.
std::string hostile_text();
// A difference with a tree of so many registers of four fields, every hundredth of them changed, and as many
// log records as a thousandth of that times ten.
barscope::tool::Report large(std::size_t registers);

} // namespace samples
