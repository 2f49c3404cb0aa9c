// Finds plain rows in bytes, sixteen at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <fwlog/patterns.h>
#include <fwlog/plain_rows.h>

namespace barscope::fwlog {

struct PlainFound {
    std::size_t count = 0, bytes = 0; // rows, and what they and their line breaks take
    std::uint64_t first_ns = 0, last_ns = 0;
};

// The plain rows that `bytes`, which is the start of a row, begins with, as far as they are there with their
// line breaks: no row of which a pattern could want to know, none stamped earlier than the one before or than
// `last_ns`, none longer than `longest`. Finds none at the end of the bytes, and where the processor has no
// instructions for it: whoever asks has another way for such rows.
PlainFound find_plain(std::string_view bytes, std::uint64_t last_ns, const PatternSet& patterns,
                      std::size_t longest, std::span<PlainRow> out);

} // namespace barscope::fwlog
