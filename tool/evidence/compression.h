// Zstandard frames, by libzstd.
#pragma once

#include <string>
#include <string_view>

#include <safety/error.h>

namespace barscope::tool {

bool is_zstd(std::string_view bytes); // RFC 8878, 3.1.1: the magic number
Result<std::string> compress_zstd(std::string_view bytes);
// At most `limit` bytes come out, whatever the frame claims.
Result<std::string> decompress_zstd(std::string_view bytes, std::size_t limit, const std::string& where);

} // namespace barscope::tool
