#include <render/fwlog_json.h>

#include <fmt/format.h>

#include <render/digits.h>
#include <render/escape.h>
#include <render/fwlog_text.h>
#include <safety/utf8.h>

namespace barscope::tool {

namespace {

using fwlog::Record;
using fwlog::RecordKind;

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = decode_utf8(text).length;
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

void member_text(JsonWriter& json, std::string_view name, std::string_view text) {
    if (!text.empty()) {
        json.member(name, text);
    }
}

// JSON has no place for other bytes: where there are any the exact ones stand beside, in hex.
void write_raw(JsonWriter& json, std::string_view raw) {
    json.member("raw", raw);
    if (is_utf8(raw)) {
        return;
    }
    std::string digits;
    digits.reserve(raw.size() * 2);
    for (const char c : raw) {
        append_hex_digits(digits, static_cast<unsigned char>(c), 2);
    }
    json.member("rawHex", digits);
}

void write_time(JsonWriter& json, const Record& record) {
    if (record.time_ns) {
        json.member("timeNs", fmt::format("{}", *record.time_ns));
        json.member("clock", name(record.clock));
    }
    member_text(json, "time", record.time_text);
    member_text(json, "received", record.received);
}

void write_field(JsonWriter& json, const fwlog::FieldValue& value, fwlog::FieldText& field_text) {
    const fwlog::PatternField& field = *value.field;
    const bool number = field.kind == fwlog::FieldKind::hex || field.kind == fwlog::FieldKind::dec;
    json.begin_object();
    json.member("name", field.name);
    json.member("raw", value.text);
    if (number) {
        const bool minus = (field.kind == fwlog::FieldKind::dec || field.negative) && value.value >> 63U != 0;
        const bool hex = field.kind == fwlog::FieldKind::hex && !field.negative;
        json.member("value", minus ? fmt::format("-{}", ~value.value + 1)
                             : hex ? fmt::format("{:#x}", value.value)
                                   : fmt::format("{}", value.value));
        member_text(json, "meaning", field_text.value_name(value));
    }
    member_text(json, "unit", field.unit);
    member_text(json, "differsFrom", value.differs);
    json.end_object();
}

void write_pattern(JsonWriter& json, const Record& record, fwlog::FieldText& field_text) {
    const fwlog::Pattern& pattern = *record.pattern;
    json.member("pattern", pattern.name);
    json.member("meaning", pattern.meaning);
    if (!record.fields.empty()) {
        json.key("fields");
        json.begin_array();
        for (const fwlog::FieldValue& value : record.fields) {
            write_field(json, value, field_text);
        }
        json.end_array();
    }
    for (const fwlog::Difference& difference : pattern.differences) {
        if (const auto value = fwlog::difference(record, difference)) {
            json.member_number(difference.name, *value);
        }
    }
}

void write_words(JsonWriter& json, const Record& record) {
    json.key("data");
    json.begin_array();
    for (const std::uint64_t word : record.data) {
        json.hex(word, record.data_width / 4U);
    }
    json.end_array();
}

void write_mark(JsonWriter& json, std::string_view name, const std::optional<fwlog::Mark>& mark) {
    json.key(name);
    if (!mark) {
        json.null();
        return;
    }
    json.begin_object();
    json.member_number("line", mark->line);
    member_text(json, "time", mark->time);
    json.member("severity", fwlog::name(mark->severity));
    member_text(json, "pattern", mark->pattern);
    json.member("message", mark->message);
    json.end_object();
}

void write_spans(JsonWriter& json, const fwlog::Summary& summary) {
    json.key("spans");
    json.begin_array();
    for (const fwlog::Span& span : summary.spans) {
        if (span.rows == 0) {
            continue;
        }
        json.begin_object();
        json.member("clock", name(span.clock));
        json.member_number("firstLine", span.first_line);
        json.member_number("rows", span.rows);
        json.member("earliestNs", fmt::format("{}", span.earliest_ns));
        json.member("latestNs", fmt::format("{}", span.latest_ns));
        const std::uint64_t lasted = span.latest_ns - span.earliest_ns;
        json.member("seconds", fmt::format("{}.{:06}", lasted / 1'000'000'000, lasted / 1000 % 1'000'000));
        json.end_object();
    }
    json.end_array();
}

void write_series(JsonWriter& json, const fwlog::Summary& summary) {
    json.key("numbers");
    json.begin_array();
    for (const fwlog::Series& series : summary.series) {
        json.begin_object();
        json.member("name", series.name);
        json.member_number("lowest", series.lowest);
        json.member_number("highest", series.highest);
        json.member_number("step", series.step);
        json.member_number("seen", series.seen);
        json.member_number("missingCount", series.missing_count);
        json.key("missing");
        json.begin_array();
        for (const std::uint64_t value : series.missing) {
            json.number(value);
        }
        json.end_array();
        json.member_bool("partial", series.partial);
        json.end_object();
    }
    json.end_array();
}

} // namespace

void write_log_record(JsonWriter& json, const Record& record, fwlog::FieldText& field_text,
                      std::string_view type) {
    json.begin_object();
    member_text(json, "type", type);
    json.member("kind", name(record.kind));
    json.member("source", record.source);
    if (record.line != 0) {
        json.member_number("line", record.line);
    }
    if (record.kind == RecordKind::gap) {
        json.member_number("lost", record.lost);
    }
    if (record.sequence) {
        json.member_number("sequence", *record.sequence);
        json.member_number("sequenceBits", record.sequence_bits);
    }
    write_time(json, record);
    if (record.kind == RecordKind::entry || record.kind == RecordKind::unparsed) {
        json.member("severity", name(record.severity));
        if (record.level != fwlog::Severity::unknown) {
            json.member("level", name(record.level));
        }
    }
    if (record.code) {
        json.member_hex("code", *record.code);
        member_text(json, "codeName", record.code_name);
    }
    if (record.pattern != nullptr) {
        write_pattern(json, record, field_text);
    }
    if (!record.data.empty()) {
        write_words(json, record);
    }
    member_text(json, "program", record.program);
    member_text(json, "boot", record.boot);
    if (record.new_boot) {
        json.member_bool("newBoot", true);
    }
    if (record.overwritten) {
        json.member_bool("overwritten", true);
    }
    member_text(json, "parseError", record.parse_error);
    if (record.kind != RecordKind::gap) {
        json.member("message", record.message);
        write_raw(json, record.raw);
    }
    json.end_object();
}

void write_log_summary(JsonWriter& json, const fwlog::Summary& summary, std::uint64_t left_out) {
    json.member_number("rows", summary.rows);
    json.member_number("entries", summary.entries);
    json.member_number("unparsed", summary.unparsed);
    json.member_number("comments", summary.comments);
    json.member_number("blank", summary.blank);
    json.member_number("leftOut", left_out);
    json.member_number("known", summary.known);
    json.key("severities");
    json.begin_object();
    for (std::size_t i = fwlog::severity_count; i-- > 0;) {
        json.member_number(fwlog::name(static_cast<fwlog::Severity>(i)), summary.by_severity.at(i));
    }
    json.end_object();
    write_mark(json, "firstError", summary.first_error);
    write_mark(json, "lastError", summary.last_error);
    json.member_number("gaps", summary.gaps);
    json.member_number("lost", summary.lost);
    json.member_number("duplicates", summary.duplicates);
    json.member_number("stepsBack", summary.backwards);
    json.member_number("wraps", summary.wraps);
    json.member_number("stampsBack", summary.stamps_back);
    json.member_number("resets", summary.resets);
    json.member_number("recovered", summary.recoveries);
    json.member_number("gone", summary.gone);
    json.member_number("differing", summary.differing);
    json.member_number("overwritten", summary.overwritten);
    write_spans(json, summary);
    write_series(json, summary);
    json.key("patterns");
    json.begin_object();
    for (const auto& [pattern, count] : summary.patterns) {
        json.member_number(pattern, count);
    }
    json.end_object();
}

} // namespace barscope::tool
