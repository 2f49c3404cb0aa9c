// A report for a terminal: one line a field, the worst first.
#pragma once

#include <evidence/report.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

// `all`: noise as well.
void render_report_text(Output& output, const Style& style, const Report& report, bool all);

} // namespace barscope::tool
