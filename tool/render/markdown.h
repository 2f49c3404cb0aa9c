// Text from outside in Markdown that GitHub, GitLab and Jira read alike. In code spans none of them links,
// mentions or formats anything; so whatever is not plain words goes there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace barscope::tool {

// A code span. `cell`: within a table, where a pipe would end the cell. Nothing for an empty text.
void append_code(std::string& out, std::string_view text, bool cell);
// Running text: plain words stay as they are, the rest goes into code spans.
void append_prose(std::string& out, std::string_view text, bool cell);

// A row of cells that are Markdown already.
void append_markdown_row(std::string& out, const std::vector<std::string>& cells);
// The heading row and the line below it.
void append_markdown_heading(std::string& out, const std::vector<std::string>& headings);

} // namespace barscope::tool
