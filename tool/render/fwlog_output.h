// A log as a whole in one of three forms: text, one JSON document, or one JSON object a line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fwlog/coredump.h>
#include <fwlog/field_text.h>
#include <fwlog/summary.h>
#include <logs/log_inputs.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

// Called in this order: begin, summary (where it comes first), records, summary (where it comes last), end.
class LogWriter {
  public:
    virtual ~LogWriter() = default;
    virtual void begin(const LogInputs& inputs) = 0;
    virtual void summary(const fwlog::Summary& summary, std::uint64_t left_out) = 0;
    virtual void record(const fwlog::Record& record) = 0;
    virtual void plain(const fwlog::PlainRows& rows); // as many records
    virtual void end() = 0;
};

enum class LogForm { text, json, ndjson };
std::unique_ptr<LogWriter> make_log_writer(LogForm form, Output& output, const Style& style,
                                           fwlog::FieldText& field_text);

// `written`: a file for each segment, where --extract was given; else empty.
struct WrittenSegment {
    std::string path;
    fwlog::Extracted extracted;
};
void write_coredump(LogForm form, Output& output, const Style& style, const LogInputs& inputs,
                    const fwlog::CoreDump& dump, const std::vector<WrittenSegment>& written);

} // namespace barscope::tool
