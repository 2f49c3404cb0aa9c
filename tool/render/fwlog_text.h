// A log's records and summary for people.
#pragma once

#include <string>

#include <fwlog/field_text.h>
#include <fwlog/record.h>
#include <fwlog/summary.h>
#include <render/style.h>

namespace barscope::tool {

void append_log_record(std::string& out, const Style& style, const fwlog::Record& record,
                       fwlog::FieldText& field_text);
// `left_out`: records that the filters hide.
void append_log_summary(std::string& out, const Style& style, const fwlog::Summary& summary,
                        std::uint64_t left_out);

// "1030.628320", "2025-07-07 12:37:37", "08-15 12:21:39".
std::string clock_text(fwlog::Clock clock, std::uint64_t ns);

} // namespace barscope::tool
