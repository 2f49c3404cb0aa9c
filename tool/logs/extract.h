// The segments of a core dump as files of their own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fwlog/coredump.h>
#include <render/fwlog_output.h>

namespace barscope::tool {

// Into a folder that is made anew; a file for each segment, in their order. At most 256 MiB a segment and 4
// GiB together, so that a lying compressed segment cannot fill a disk.
Result<std::vector<WrittenSegment>> extract_segments(fwlog::ByteFile& file, const fwlog::CoreDump& dump,
                                                     const std::string& folder);
// Files by name, likewise.
Result<void> write_blobs(const std::vector<std::pair<std::string, std::string>>& blobs,
                         const std::string& folder);

} // namespace barscope::tool
