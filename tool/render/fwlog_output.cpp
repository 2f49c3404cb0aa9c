#include <render/fwlog_output.h>

#include <render/escape.h>
#include <render/fwlog_json.h>
#include <render/fwlog_text.h>
#include <render/identity.h>

namespace barscope::tool {

namespace {

std::string state_of(const LogInput& input) {
    return input.error ? to_string(*input.error) : input.note;
}

class TextWriter final : public LogWriter {
  public:
    TextWriter(Output& output, const Style& style, fwlog::FieldText& field_text)
        : output_(output), style_(style), field_text_(field_text) {}

    void begin(const LogInputs& inputs) override {
        std::string& out = output_.text();
        style_.begin(out, Ink::heading);
        if (inputs.facts) {
            out += to_string(inputs.facts->address);
            out += "  ";
            append_facts(out, *inputs.facts);
        } else {
            append_safe(out, inputs.file);
            out += "  ";
            out += name(inputs.format);
        }
        style_.end(out, Ink::heading);
        out += '\n';
        for (const LogInput& input : inputs.list) {
            if (!inputs.facts && !input.error) {
                continue;
            }
            out += "  from         ";
            out += input.name;
            out += ": ";
            append_safe(out, input.where);
            const std::string state = state_of(input);
            if (!state.empty()) {
                out += ": ";
                append_safe(out, state);
            }
            out += '\n';
        }
    }
    void summary(const fwlog::Summary& summary, std::uint64_t left_out) override {
        if (any_) {
            output_.text() += '\n';
        }
        append_log_summary(output_.text(), style_, summary, left_out);
        open_ = true;
    }
    void record(const fwlog::Record& record) override {
        begin_records(record.source);
        append_log_record(output_.text(), style_, record, field_text_);
        output_.drain();
    }
    void plain(const fwlog::PlainRows& rows) override {
        begin_records(rows.source);
        append_plain_rows(output_.text(), style_, rows, field_text_);
        output_.drain();
    }
    void end() override {}

  private:
    void begin_records(std::string_view source) {
        std::string& out = output_.text();
        if (open_) {
            out += '\n';
            open_ = false;
        }
        if (source != source_) {
            source_ = source;
            if (source_ != "kernel log" || any_) {
                out += "-- ";
                append_safe(out, source_);
                out += '\n';
            }
        }
        any_ = true;
    }

    Output& output_;
    const Style& style_;
    fwlog::FieldText& field_text_;
    std::string source_;
    bool open_ = false, any_ = false;
};

void write_inputs(JsonWriter& json, const LogInputs& inputs) {
    json.key("sources");
    json.begin_array();
    for (const LogInput& input : inputs.list) {
        json.begin_object();
        json.member("name", input.name);
        json.member("where", input.where);
        json.member("format", name(input.format));
        json.member("state", input.error ? "failed" : input.open ? "read" : "absent");
        json.member("note", input.note);
        if (input.error) {
            json.key("error");
            write_error(json, *input.error);
        }
        json.end_object();
    }
    json.end_array();
}

void write_head(JsonWriter& json, const LogInputs& inputs) {
    write_tool(json);
    if (inputs.facts) {
        write_device(json, *inputs.facts, {});
    } else {
        json.member("file", inputs.file);
        json.member("format", name(inputs.format));
    }
}

class JsonLogWriter final : public LogWriter {
  public:
    JsonLogWriter(Output& output, fwlog::FieldText& field_text)
        : output_(output), json_(output.text()), field_text_(field_text) {}

    void begin(const LogInputs& inputs) override {
        json_.begin_object();
        write_head(json_, inputs);
        json_.break_line();
        write_inputs(json_, inputs);
    }
    void summary(const fwlog::Summary& summary, std::uint64_t left_out) override {
        close_records();
        json_.break_line();
        json_.key("summary");
        json_.begin_object();
        write_log_summary(json_, summary, left_out);
        json_.end_object();
    }
    void record(const fwlog::Record& record) override {
        open_records();
        json_.break_line();
        write_log_record(json_, record, field_text_, {});
        output_.drain();
    }
    void end() override {
        open_records();
        close_records();
        json_.end_object();
        output_.text() += '\n';
    }

  private:
    void open_records() {
        if (!begun_) {
            begun_ = open_ = true;
            json_.break_line();
            json_.key("records");
            json_.begin_array();
        }
    }
    void close_records() {
        if (open_) {
            json_.end_array();
            open_ = false;
        }
    }

    Output& output_;
    JsonWriter json_;
    fwlog::FieldText& field_text_;
    bool begun_ = false, open_ = false;
};

class NdjsonWriter final : public LogWriter {
  public:
    NdjsonWriter(Output& output, fwlog::FieldText& field_text) : output_(output), field_text_(field_text) {}

    void begin(const LogInputs& inputs) override {
        JsonWriter json(output_.text());
        json.begin_object();
        json.member("type", "log");
        write_head(json, inputs);
        write_inputs(json, inputs);
        json.end_object();
        output_.text() += '\n';
    }
    void summary(const fwlog::Summary& summary, std::uint64_t left_out) override {
        JsonWriter json(output_.text());
        json.begin_object();
        json.member("type", "summary");
        write_log_summary(json, summary, left_out);
        json.end_object();
        output_.text() += '\n';
    }
    void record(const fwlog::Record& record) override {
        JsonWriter json(output_.text());
        write_log_record(json, record, field_text_, "record");
        output_.text() += '\n';
        output_.drain();
    }
    void end() override {}

  private:
    Output& output_;
    fwlog::FieldText& field_text_;
};

} // namespace

void LogWriter::plain(const fwlog::PlainRows& rows) {
    fwlog::Record one;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        fwlog::fill(one, rows, i);
        record(one);
    }
}

std::unique_ptr<LogWriter> make_log_writer(LogForm form, Output& output, const Style& style,
                                           fwlog::FieldText& field_text) {
    switch (form) {
    case LogForm::json:
        return std::make_unique<JsonLogWriter>(output, field_text);
    case LogForm::ndjson:
        return std::make_unique<NdjsonWriter>(output, field_text);
    case LogForm::text:
        break;
    }
    return std::make_unique<TextWriter>(output, style, field_text);
}

} // namespace barscope::tool
