// A report as one JSON document (docs/reports.md). The HTML report carries the same document.
#pragma once

#include <functional>
#include <string>

#include <evidence/report.h>
#include <render/output.h>

namespace barscope::tool {

// Everything the report holds, noise included.
void render_report_json(Output& output, const Report& report);

// Appends to `piece`; `drain` is called between entries and may take what is there away.
void append_report_json(std::string& piece, const Report& report, const std::function<void()>& drain);

} // namespace barscope::tool
