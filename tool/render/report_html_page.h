// The part of an HTML report that needs no JavaScript.
#pragma once

#include <string>

#include <evidence/report.h>
#include <render/output.h>

namespace barscope::tool {

std::string report_title(const Report& report);

void append_report_page(Output& output, const Report& report);

} // namespace barscope::tool
