#include <render/report_json.h>

#include <render/json_writer.h>
#include <render/report_parts.h>
#include <render/report_tree_json.h>

namespace barscope::tool {

namespace {

void text_member(JsonWriter& json, std::string_view name, std::string_view text) {
    if (!text.empty()) {
        json.member(name, text);
    }
}

void flag(JsonWriter& json, std::string_view name, bool value) {
    if (value) {
        json.member_bool(name, true);
    }
}

class ReportJson {
  public:
    ReportJson(std::string& piece, const Report& report, const std::function<void()>& drain)
        : json_(piece), report_(report), drain_(drain) {}

    void write() {
        json_.begin_object();
        json_.member("report", report_.difference ? "difference" : "snapshot");
        json_.member_number("formatVersion", 1);
        list("subjects", report_.subjects, [this](const auto& subject) { write_subject(subject); });
        list("verdict", report_.verdict, [this](const auto& line) { json_.string(line); });
        severity(report_.worst);
        json_.member_number("findings", report_.findings);
        json_.member_number("noiseLeftOut", report_.noise);
        flag(json_, "truncated", report_.truncated);
        list("warnings", report_.warnings, [this](const auto& line) { json_.string(line); });
        list("identity", report_.identity, [this](const auto& row) { write_row(row); });
        list("checks", report_.checks, [this](const auto& check) { write_check(check); });
        list("registers", report_.registers, [this](const auto& reg) { write_register(reg); });
        list("counters", report_.counters, [this](const auto& counter) { write_counter(counter); });
        text_member(json_, "logSummary", report_.log_summary);
        list("logs", report_.logs, [this](const auto& record) { write_record(record); });
        list("context", report_.context, [this](const auto& row) { write_row(row); });
        list("coverage", report_.coverage, [this](const auto& row) { write_row(row); });
        list("sources", report_.sources, [this](const auto& source) { write_source(source); });
        if (!report_.tree.empty()) {
            json_.break_line();
            json_.key("tree");
            append_tree_json(json_, report_, drain_);
        }
        json_.end_object();
    }

  private:
    template <typename Element, typename Write>
    void list(std::string_view name, const std::vector<Element>& elements, const Write& write) {
        json_.break_line();
        json_.key(name);
        json_.begin_array();
        for (const Element& element : elements) {
            json_.break_line();
            write(element);
            drain_();
        }
        json_.end_array();
    }

    void severity(Severity value) { text_member(json_, "severity", severity_word(value)); }

    // What was before and is after; of one snapshot only what is. Null: nothing there.
    void values(std::string_view before, std::string_view after) {
        if (report_.difference) {
            value("before", before);
            value("after", after);
        } else {
            value("value", after);
        }
    }

    void value(std::string_view name, std::string_view text) {
        json_.key(name);
        if (text.empty()) {
            json_.null();
        } else {
            json_.string(text);
        }
    }

    void write_subject(const ReportSubject& subject) {
        json_.begin_object();
        text_member(json_, "file", subject.file);
        text_member(json_, "created", subject.created);
        text_member(json_, "label", subject.label);
        text_member(json_, "stopped", subject.stopped);
        text_member(json_, "host", subject.host);
        text_member(json_, "kernel", subject.kernel);
        text_member(json_, "address", subject.address);
        text_member(json_, "ids", subject.ids);
        text_member(json_, "description", subject.description);
        text_member(json_, "driver", subject.driver);
        text_member(json_, "driverVersion", subject.driver_version);
        text_member(json_, "firmware", subject.firmware);
        text_member(json_, "map", subject.map);
        text_member(json_, "tool", subject.tool);
        json_.member_number("passes", subject.passes);
        flag(json_, "redacted", subject.redacted);
        json_.end_object();
    }

    void write_row(const ReportRow& row) {
        json_.begin_object();
        json_.member("name", row.name);
        values(row.before, row.after);
        severity(row.severity);
        flag(json_, "changed", row.changed);
        flag(json_, "noise", row.noise);
        text_member(json_, "remark", row.remark);
        json_.end_object();
    }

    void write_check(const ReportCheck& check) {
        json_.begin_object();
        json_.member("name", check.name);
        values(check.before, check.after);
        severity(check.severity);
        flag(json_, "changed", check.changed);
        text_member(json_, "found", check.found);
        text_member(json_, "meaning", check.meaning);
        text_member(json_, "advice", check.advice);
        json_.end_object();
    }

    void write_register(const ReportRegister& reg) {
        json_.begin_object();
        json_.member("name", reg.name);
        json_.member("space", reg.space);
        text_member(json_, "group", reg.group);
        text_member(json_, "title", reg.title);
        json_.member_hex("offset", reg.offset);
        json_.member_number("width", reg.width);
        json_.member("volatility", regmaps::name(reg.volatility));
        values(reg.before, reg.after);
        text_member(json_, "beforeReason", reg.before_reason);
        text_member(json_, report_.difference ? "afterReason" : "reason", reg.after_reason);
        if (reg.changed_bits != 0) {
            json_.member_hex("changedBits", reg.changed_bits);
        }
        severity(reg.severity);
        flag(json_, "changed", reg.changed);
        flag(json_, "noise", reg.noise);
        flag(json_, "moving", reg.moving);
        text_member(json_, "remark", reg.remark);
        json_.key("fields");
        json_.begin_array();
        for (const ReportField& field : reg.fields) {
            write_field(field);
        }
        json_.end_array();
        json_.end_object();
    }

    void write_field(const ReportField& field) {
        json_.begin_object();
        json_.member("name", field.name);
        json_.member_number("msb", field.msb);
        json_.member_number("lsb", field.lsb);
        values(field.before, field.after);
        severity(field.severity);
        flag(json_, "changed", field.changed);
        json_.end_object();
    }

    void write_counter(const ReportCounter& counter) {
        json_.begin_object();
        json_.member("name", counter.name);
        text_member(json_, "source", counter.source);
        values(counter.before, counter.after);
        text_member(json_, "delta", counter.delta);
        text_member(json_, "rate", counter.rate);
        flag(json_, "wrapped", counter.wrapped);
        flag(json_, "reset", counter.reset);
        flag(json_, "stalled", counter.stalled);
        flag(json_, "index", counter.index);
        severity(counter.severity);
        flag(json_, "changed", counter.changed);
        flag(json_, "noise", counter.noise);
        text_member(json_, "remark", counter.remark);
        json_.end_object();
    }

    void write_record(const ReportLogRecord& record) {
        json_.begin_object();
        text_member(json_, "time", record.time);
        if (record.seconds >= 0) {
            json_.member_number("nanoseconds", static_cast<std::uint64_t>(record.seconds * 1e9));
        }
        text_member(json_, "severity", record.severity);
        text_member(json_, "source", record.source);
        json_.member("text", record.text);
        flag(json_, "fresh", record.fresh);
        flag(json_, "gap", record.gap);
        json_.end_object();
    }

    void write_source(const ReportSource& source) {
        json_.begin_object();
        json_.member("name", source.name);
        text_member(json_, "source", source.source);
        json_.member("status", source.status);
        text_member(json_, "why", source.why);
        json_.end_object();
    }

    JsonWriter json_;
    const Report& report_;
    const std::function<void()>& drain_;
};

} // namespace

void append_report_json(std::string& piece, const Report& report, const std::function<void()>& drain) {
    ReportJson(piece, report, drain).write();
}

void render_report_json(Output& output, const Report& report) {
    append_report_json(output.text(), report, [&output] { output.drain(); });
    output.text() += '\n';
}

} // namespace barscope::tool
