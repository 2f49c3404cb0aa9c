// Running text broken at spaces, so that it reads on a terminal of ordinary width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace barscope::tool {

inline constexpr std::size_t page_width = 100;

// Made safe for a terminal, and ended with a line break. Every line but the first begins at column `indent`;
// the first does as well unless `out` stands there already (`started`).
void append_wrapped(std::string& out, std::size_t indent, std::string_view text, bool started = false);

} // namespace barscope::tool
