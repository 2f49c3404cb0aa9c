// The segments of a core dump, and who collected it.
#include <render/fwlog_output.h>

#include <fmt/format.h>

#include <render/escape.h>
#include <render/identity.h>
#include <render/json_writer.h>
#include <render/table.h>

namespace barscope::tool {

namespace {

using fwlog::CollectTime;
using fwlog::Segment;

std::string safe(std::string_view text) {
    std::string out;
    append_safe(out, text);
    return out;
}

std::string date(const CollectTime& time) {
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", time.year, time.month, time.day, time.hour,
                       time.minute, time.second);
}

// 0, or a negative errno.
std::string status_text(std::uint32_t status) {
    if (status == 0) {
        return "ok";
    }
    const std::string known = fwlog::errno_name(0U - status);
    return known.empty() ? fmt::format("{:#x}", status)
                         : fmt::format("{} {}", static_cast<std::int32_t>(status), known);
}

std::string note(const Segment& segment) {
    std::string text(segment.name);
    const auto add = [&](std::string_view more) { text += (text.empty() ? "" : "; ") + std::string(more); };
    if (segment.compressed()) {
        add("zlib");
    }
    if (segment.cut()) {
        add(fmt::format("cut: {} bytes are there", segment.available));
    }
    return text;
}

Table::Row row_of(const Segment& segment) {
    if (segment.unrecognised) {
        return {{fmt::format("{:#x}", segment.at)},
                {"-"},
                {"-"},
                {"-"},
                {"-"},
                {fmt::format("{}", segment.available)},
                {"-"},
                {"-"},
                {segment.zeros ? "zeros, no segment" : "no segment", Ink::warning}};
    }
    return {{fmt::format("{:#x}", segment.at)},
            {fmt::format("{:#x}", segment.component)},
            {fmt::format("{:#x}", segment.id)},
            {fmt::format("{}", segment.instance)},
            {fmt::format("{}.{}", segment.high_version, segment.low_version)},
            {fmt::format("{}", segment.length)},
            {fmt::format("{}", segment.duration_ms)},
            {status_text(segment.status), segment.status == 0 ? Ink::plain : Ink::warning},
            {note(segment), segment.cut() ? Ink::warning : Ink::plain}};
}

void append_record(std::string& out, const fwlog::CollectRecord& record) {
    out += fmt::format("\ncollected      {} to {}, UTC bias {}\n", date(record.begin), date(record.end),
                       record.begin.utc_bias);
    out += fmt::format("by             {} on {} ({} {}.{})\n", safe(record.command_line),
                       safe(record.system_name), safe(record.os_name), record.os_major, record.os_minor);
    out += fmt::format("chip           {:#x} revision {:#x} metal {:#x}, state {}\n", record.asic_id1 >> 16U,
                       record.asic_id1 >> 8U & 0xffU, record.asic_id1 & 0xffU, record.asic_state);
    out += fmt::format("segments       {}, status {}\n", record.total_segments, status_text(record.status));
    out += "               host name and command line are in the file: mind that before passing it on\n";
}

void write_text(Output& output, const Style& style, const LogInputs& inputs, const fwlog::CoreDump& dump,
                const std::vector<WrittenSegment>& written) {
    std::string& out = output.text();
    style.put(out, Ink::heading, safe(inputs.file) + "  bnxt core dump");
    out += '\n';
    Table table({"OFFSET", "COMPONENT", "SEGMENT", "INSTANCE", "VERSION", "BYTES", "MS", "STATUS", "WHAT"});
    for (std::size_t i = 0; i < dump.segments.size(); ++i) {
        std::string below;
        if (i < written.size()) {
            below =
                fmt::format("-> {} ({} bytes{})", safe(written[i].path), written[i].extracted.bytes,
                            written[i].extracted.problem.empty() ? "" : "; " + written[i].extracted.problem);
        }
        table.add(row_of(dump.segments[i]), std::move(below));
    }
    table.append(out, style);
    if (dump.record) {
        append_record(out, *dump.record);
    }
    if (dump.trailing != 0) {
        out += fmt::format("\n{} bytes {} follow the record\n", dump.trailing,
                           dump.trailing_zeros ? "of zeros" : "that are not zero");
    }
    for (const std::string& problem : dump.problems) {
        style.put(out, Ink::warning, "\nproblem: " + problem);
        out += '\n';
    }
}

void write_time(JsonWriter& json, std::string_view name, const CollectTime& time) {
    json.member(name, date(time));
}

void write_segment(JsonWriter& json, const Segment& segment) {
    json.member_hex("offset", segment.at);
    json.member_bool("recognised", !segment.unrecognised);
    json.member_number("available", segment.available);
    if (segment.unrecognised) {
        json.member_bool("zeros", segment.zeros);
        return;
    }
    json.member_hex("component", segment.component);
    json.member_hex("segment", segment.id);
    json.member_number("instance", segment.instance);
    json.member("version", fmt::format("{}.{}", segment.high_version, segment.low_version));
    json.member_hex("function", segment.function);
    json.member_number("length", segment.length);
    json.member_number("durationMs", segment.duration_ms);
    json.member_hex("status", segment.status, 8);
    json.member("statusText", status_text(segment.status));
    json.member_bool("compressed", segment.compressed());
    json.member_bool("cut", segment.cut());
    json.member("name", segment.name);
}

void write_collected(JsonWriter& json, const fwlog::CollectRecord& record) {
    json.key("record");
    json.begin_object();
    json.member("system", record.system_name);
    json.member("commandLine", record.command_line);
    json.member("os", record.os_name);
    json.member("osVersion", fmt::format("{}.{}", record.os_major, record.os_minor));
    write_time(json, "begin", record.begin);
    write_time(json, "end", record.end);
    json.member_number("totalSegments", record.total_segments);
    json.member_hex("asicId1", record.asic_id1, 8);
    json.member_hex("asicId2", record.asic_id2, 8);
    json.member_number("asicState", record.asic_state);
    json.member_hex("status", record.status, 8);
    json.end_object();
}

void write_json(Output& output, const LogInputs& inputs, const fwlog::CoreDump& dump,
                const std::vector<WrittenSegment>& written, bool one_line) {
    JsonWriter json(output.text());
    const auto line = [&] {
        if (!one_line) {
            json.break_line();
        }
    };
    json.begin_object();
    write_tool(json);
    json.member("file", inputs.file);
    json.member("format", "coredump");
    line();
    json.key("segments");
    json.begin_array();
    for (std::size_t i = 0; i < dump.segments.size(); ++i) {
        line();
        json.begin_object();
        write_segment(json, dump.segments[i]);
        if (i < written.size()) {
            json.member("file", written[i].path);
            json.member_number("fileBytes", written[i].extracted.bytes);
            json.member_bool("inflated", written[i].extracted.inflated);
            json.member_bool("unwrapped", written[i].extracted.unwrapped);
            json.member("problem", written[i].extracted.problem);
        }
        json.end_object();
        output.drain();
    }
    json.end_array();
    line();
    if (dump.record) {
        write_collected(json, *dump.record);
    }
    json.member_number("trailingBytes", dump.trailing);
    json.key("problems");
    json.begin_array();
    for (const std::string& problem : dump.problems) {
        json.string(problem);
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

} // namespace

void write_coredump(LogForm form, Output& output, const Style& style, const LogInputs& inputs,
                    const fwlog::CoreDump& dump, const std::vector<WrittenSegment>& written) {
    if (form == LogForm::text) {
        write_text(output, style, inputs, dump, written);
    } else {
        write_json(output, inputs, dump, written, form == LogForm::ndjson);
    }
}

} // namespace barscope::tool
