// A log's records and summary for people.
#pragma once

#include <string>

#include <fwlog/field_text.h>
#include <fwlog/plain_rows.h>
#include <fwlog/record.h>
#include <fwlog/summary.h>
#include <render/style.h>

namespace barscope::tool {

namespace log_columns {
inline constexpr std::size_t line_width = 7, severity_width = 9, time_width = 15;
inline constexpr std::size_t text_column = line_width + 2 + severity_width + 2 + time_width + 2;
} // namespace log_columns

void append_log_record(std::string& out, const Style& style, const fwlog::Record& record,
                       fwlog::FieldText& field_text);
// The same text for each of them as append_log_record gives, sooner.
void append_plain_rows(std::string& out, const Style& style, const fwlog::PlainRows& rows,
                       fwlog::FieldText& field_text);
// `left_out`: records that the filters hide.
void append_log_summary(std::string& out, const Style& style, const fwlog::Summary& summary,
                        std::uint64_t left_out);

// "1030.628320", "2025-07-07 12:37:37", "08-15 12:21:39".
std::string clock_text(fwlog::Clock clock, std::uint64_t ns);

} // namespace barscope::tool
