// The checks of a report for a terminal.
#pragma once

#include <string>

#include <evidence/report.h>
#include <render/style.h>

namespace barscope::tool {

// Those that passed or do not apply are counted, and told with `all` only.
void append_report_checks(std::string& out, const Style& style, const Report& report, bool all);

} // namespace barscope::tool
