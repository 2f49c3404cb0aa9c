// The part of an HTML report that needs no JavaScript.
#pragma once

#include <string>
#include <string_view>

#include <evidence/report.h>
#include <render/output.h>

namespace barscope::tool {

// For text and attribute values alike. What does not show or turns the line round becomes \xNN.
void append_html(std::string& out, std::string_view text);

std::string report_title(const Report& report);

void append_report_page(Output& output, const Report& report);

} // namespace barscope::tool
