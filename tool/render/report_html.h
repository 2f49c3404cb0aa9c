// A report as one HTML file that needs nothing else: no network, no further file.
#pragma once

#include <evidence/report.h>
#include <render/output.h>

namespace barscope::tool {

// Everything the report holds, noise included. Without JavaScript the verdict, who it is, checks, findings
// and context can be read; the rest is drawn by viewer/report.js from the JSON that the page carries.
void render_report_html(Output& output, const Report& report);

} // namespace barscope::tool
