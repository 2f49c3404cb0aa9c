// Rows in, records out, as values that outlive the source.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fwlog/field_text.h>
#include <fwlog/source.h>
#include <fwlog/summary.h>

namespace fwlog_test {

using namespace barscope;
using namespace barscope::fwlog;

struct Field {
    std::string name, text, shown, differs;
    std::int64_t value = 0;
};

struct Seen {
    RecordKind kind = RecordKind::entry;
    std::uint64_t line = 0, lost = 0, time_ns = 0;
    Clock clock = Clock::none;
    Severity severity = Severity::unknown, level = Severity::unknown;
    std::optional<std::uint64_t> sequence, code;
    std::string pattern, code_name, message, raw, parse_error, program, received, extra, time_text;
    std::vector<Field> fields;
    std::vector<std::uint64_t> data;
    std::vector<std::uint64_t> differences;
    bool new_boot = false;

    const Field& field(const std::string& name) const {
        for (const Field& field : fields) {
            if (field.name == name) {
                return field;
            }
        }
        throw std::runtime_error("no field " + name);
    }
};

inline const PatternSet& patterns() {
    static const PatternSet set = [] {
        auto loaded = PatternSet::built_in();
        if (!loaded) {
            throw std::runtime_error(to_string(loaded.error()));
        }
        return std::move(*loaded);
    }();
    return set;
}

inline Seen copy(const Record& record) {
    static const regmaps::Catalog catalog({});
    FieldText field_text(&catalog);
    Seen seen{.kind = record.kind,
              .line = record.line,
              .lost = record.lost,
              .time_ns = record.time_ns.value_or(0),
              .clock = record.clock,
              .severity = record.severity,
              .level = record.level,
              .sequence = record.sequence,
              .code = record.code,
              .pattern = record.pattern == nullptr ? "" : record.pattern->name,
              .code_name = std::string(record.code_name),
              .message = std::string(record.message),
              .raw = std::string(record.raw),
              .parse_error = std::string(record.parse_error),
              .program = std::string(record.program),
              .received = std::string(record.received),
              .extra = std::string(record.extra),
              .time_text = std::string(record.time_text),
              .fields = {},
              .data = record.data,
              .differences = {},
              .new_boot = record.new_boot};
    for (const FieldValue& value : record.fields) {
        seen.fields.push_back({value.field->name, std::string(value.text), field_text.value(value),
                               std::string(value.differs), static_cast<std::int64_t>(value.value)});
    }
    if (record.pattern != nullptr) {
        for (const Difference& difference : record.pattern->differences) {
            seen.differences.push_back(fwlog::difference(record, difference).value());
        }
    }
    return seen;
}

struct Log {
    std::vector<Seen> records;
    Summary summary;

    // The records of a pattern.
    std::vector<Seen> of(const std::string& pattern) const {
        std::vector<Seen> found;
        for (const Seen& seen : records) {
            if (seen.pattern == pattern) {
                found.push_back(seen);
            }
        }
        return found;
    }
};

inline Log read(const std::string& text, std::optional<Format> format = std::nullopt) {
    MemoryStream stream(text);
    const auto source = make_source(stream, format.value_or(detect_format(text)), patterns());
    Log log;
    Summarizer summarizer;
    Record record;
    while (true) {
        const auto more = source->next(record);
        if (!more) {
            throw std::runtime_error(to_string(more.error()));
        }
        if (!*more) {
            break;
        }
        summarizer.see(record);
        log.records.push_back(copy(record));
    }
    log.summary = summarizer.finish();
    return log;
}

inline Log sample(const std::string& name) {
    std::ifstream file(std::string(BARSCOPE_SOURCE_DIR "/tests/data/logs/") + name, std::ios::binary);
    if (!file) {
        throw std::runtime_error("no sample " + name);
    }
    std::ostringstream text;
    text << file.rdbuf();
    return read(text.str());
}

} // namespace fwlog_test
