// A log's records and summary for programs.
#pragma once

#include <fwlog/field_text.h>
#include <fwlog/record.h>
#include <fwlog/summary.h>
#include <render/json_writer.h>

namespace barscope::tool {

// One object. `type`: a member "type" of this value stands first; empty: none (NDJSON needs it).
void write_log_record(JsonWriter& json, const fwlog::Record& record, fwlog::FieldText& field_text,
                      std::string_view type);
// Its members only, within an object that is open.
void write_log_summary(JsonWriter& json, const fwlog::Summary& summary, std::uint64_t left_out);

} // namespace barscope::tool
