#include <evidence/log_reading.h>

#include <fmt/format.h>

#include <evidence/head.h>
#include <fwlog/source.h>
#include <render/fwlog_text.h>

namespace barscope::tool {

namespace {

using fwlog::Record;
using fwlog::RecordKind;

std::string joined_rows(const nlohmann::json& log) {
    std::string out;
    const nlohmann::json* rows = member(&log, "rows");
    if (rows == nullptr || !rows->is_array()) {
        return out;
    }
    for (const nlohmann::json& row : *rows) {
        out += text_of(&row);
        out += '\n';
    }
    return out;
}

std::string text_of_record(const Record& record) {
    if (record.kind == RecordKind::gap) {
        return record.lost == 0 ? "records are lost here"
                                : fmt::format("{} {} lost here", record.lost,
                                              record.lost == 1 ? "record is" : "records are");
    }
    if (!record.message.empty()) {
        return std::string(record.message);
    }
    return std::string(record.raw);
}

} // namespace

const fwlog::PatternSet& LogPatterns::get() {
    if (given_ != nullptr) {
        return *given_;
    }
    if (!own_) {
        auto built_in = fwlog::PatternSet::built_in();
        own_.emplace(built_in ? std::move(*built_in) : fwlog::PatternSet());
    }
    return *own_;
}

void read_log(const nlohmann::json& log, const fwlog::PatternSet& patterns,
              const std::function<void(const Record&)>& action) {
    const std::string text = joined_rows(log);
    if (text.empty()) {
        return;
    }
    fwlog::MemoryStream stream(text);
    const auto format = fwlog::parse_format(text_of(member(&log, "format"))).value_or(fwlog::Format::rows);
    const auto source = fwlog::make_source(stream, format, patterns);
    Record record;
    for (auto more = source->next(record); more && *more; more = source->next(record)) {
        if (record.kind != RecordKind::blank) {
            action(record);
        }
    }
}

ReportLogRecord told_record(const Record& record, const std::string& source) {
    ReportLogRecord out;
    out.source = source;
    out.text = text_of_record(record);
    out.gap = record.kind == RecordKind::gap;
    out.severity = out.gap ? "notice" : std::string(name(record.severity));
    out.time = record.time_text;
    if (record.time_ns && record.clock == fwlog::Clock::kernel_monotonic) {
        out.seconds = static_cast<double>(*record.time_ns) / 1e9;
        out.time = clock_text(record.clock, *record.time_ns);
    }
    return out;
}

Severity severity_of_record(const Record& record) {
    if (record.kind == RecordKind::gap) {
        return Severity::notice;
    }
    switch (record.severity) {
    case fwlog::Severity::critical:
        return Severity::critical;
    case fwlog::Severity::error:
        return Severity::warning;
    default:
        return Severity::unspecified;
    }
}

} // namespace barscope::tool
