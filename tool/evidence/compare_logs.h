// Log records that only AFTER has, and what is known to be lost.
#pragma once

#include <evidence/evidence.h>

namespace barscope::tool {

// Into Report::logs and log_summary. Records of severity error and worse are findings; with --all the records
// of both are told.
void compare_logs(const Evidence& before, const Evidence& after, const CompareOptions& options,
                  Report& report);
void describe_logs(const Evidence& one, const CompareOptions& options, Report& report);

} // namespace barscope::tool
