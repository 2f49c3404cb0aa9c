// The cells of a Markdown report's tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <evidence/report.h>
#include <render/markdown.h>

namespace barscope::tool {

using Cells = std::vector<std::string>;

std::string code_cell(std::string_view text);
std::string prose_cell(std::string_view text);
// A lower-case word of ours as it is; anything else in a code span.
std::string status_cell(std::string_view text);
std::string severity_cell(Severity severity, bool noise);

// Result, severity, name, what was found, what it means and what to do.
Cells check_cells(const ReportCheck& check, bool difference);

// One column a subject, one row a fact.
void append_subject_table(std::string& out, const Report& report);

} // namespace barscope::tool
