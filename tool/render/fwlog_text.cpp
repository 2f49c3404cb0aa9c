#include <render/fwlog_text.h>

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include <render/digits.h>
#include <render/escape.h>

namespace barscope::tool {

namespace {

using fwlog::Record;
using fwlog::RecordKind;
using fwlog::Severity;

using namespace log_columns;

Ink ink_of(Severity severity) {
    switch (severity) {
    case Severity::critical:
    case Severity::error:
        return Ink::critical;
    case Severity::warning:
        return Ink::warning;
    case Severity::notice:
        return Ink::notice;
    case Severity::info:
    case Severity::debug:
    case Severity::unknown:
        break;
    }
    return Ink::plain;
}

std::string_view word_of(const Record& record) {
    switch (record.kind) {
    case RecordKind::unparsed:
        return record.severity == Severity::unknown ? "unparsed" : name(record.severity);
    case RecordKind::comment:
        return "#";
    case RecordKind::gap:
        return "lost";
    case RecordKind::blank:
        return "";
    case RecordKind::entry:
        break;
    }
    return record.severity == Severity::unknown ? std::string_view("-") : name(record.severity);
}

void append_right(std::string& out, std::uint64_t value, std::size_t width) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const auto used = static_cast<std::size_t>(end - digits.data());
    pad(out, used, width);
    out.append(digits.data(), used);
}

// What the source gives besides the text: a counter, a code, words.
void append_numbers(std::string& out, const Record& record) {
    if (record.sequence && record.source != "kernel log") {
        out += "seq ";
        append_decimal(out, *record.sequence);
        out += "  ";
    }
    if (record.code && record.pattern == nullptr) {
        out += "code ";
        append_hex(out, *record.code);
        out += record.code_name.empty() ? "  " : " ";
        append_safe(out, record.code_name);
        out += record.code_name.empty() ? "" : "  ";
    }
}

void append_meaning(std::string& out, const Record& record, fwlog::FieldText& field_text) {
    const fwlog::Pattern& pattern = *record.pattern;
    out.append(text_column, ' ');
    const std::size_t begin = out.size();
    out += pattern.name;
    out += ": ";
    out += pattern.meaning;
    const char* separator = "; ";
    for (const fwlog::FieldValue& value : record.fields) {
        out += separator;
        out += value.field->name;
        out += ' ';
        field_text.append(out, value);
        separator = ", ";
    }
    for (const fwlog::Difference& difference : pattern.differences) {
        if (const auto value = fwlog::difference(record, difference)) {
            out += ", ";
            out += difference.name;
            out += ' ';
            append_decimal(out, *value);
            out += difference.note.empty() ? "" : " ";
            out += difference.note;
        }
    }
    make_safe(out, begin);
    out += '\n';
}

} // namespace

void append_log_record(std::string& out, const Style& style, const Record& record,
                       fwlog::FieldText& field_text) {
    if (record.kind == RecordKind::gap) {
        out.append(line_width + 2, ' ');
        style.put(out, Ink::warning,
                  fmt::format("{} record{} lost after {}", record.lost, record.lost == 1 ? "" : "s",
                              record.sequence.value_or(0)));
        out += '\n';
        return;
    }
    append_right(out, record.line, line_width);
    out.append("  ", 2);
    const std::string_view word = word_of(record);
    const Ink ink = record.kind == RecordKind::comment ? Ink::dim : ink_of(record.severity);
    style.put(out, ink, word);
    const std::size_t stamp = std::min(record.time_text.size(), time_width);
    out.append(severity_width - word.size() + 2 + time_width - stamp, ' ');
    append_safe(out, record.time_text);
    out.append("  ", 2);
    append_numbers(out, record);
    append_safe(out, record.message);
    if (record.new_boot) {
        out += "  [another boot]";
    }
    if (record.overwritten) {
        out += "  [overwritten while it was read]";
    }
    if (record.kind == RecordKind::unparsed && record.parse_error != "no known row form") {
        out += "  [";
        out += record.parse_error;
        out += ']';
    }
    while (!out.empty() && out.back() == ' ') {
        out.pop_back();
    }
    out += '\n';
    if (record.pattern != nullptr) {
        append_meaning(out, record, field_text);
    }
}

} // namespace barscope::tool
