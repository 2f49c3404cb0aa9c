// A report that is pasted into a ticket: the verdict on top, tables, the long parts folded.
#pragma once

#include <evidence/report.h>
#include <render/output.h>

namespace barscope::tool {

// `all`: noise as well. Long tables are cut, and say so: GitHub takes 65,536 characters.
void render_report_markdown(Output& output, const Report& report, bool all);

} // namespace barscope::tool
