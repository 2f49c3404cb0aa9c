// Reads and writes of offsets that no map needs to know.
#pragma once

#include <override/steps.h>

namespace barscope::tool {

Result<int> write_raw(Context& context, const Subject& subject, const RawPlace& place,
                      const std::string& name, const std::string& value);
Result<int> read_raw(Context& context, const Subject& subject, const RawPlace& place,
                     const std::string& name);

// Where a lone word is all ones: an error where the device does not answer; otherwise a remark.
Result<std::string> judge_all_ones(const Subject& subject, std::uint64_t value, unsigned width);

} // namespace barscope::tool
