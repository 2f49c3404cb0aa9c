#include <commands/fwlog_show.h>

#include <algorithm>

#include <fmt/format.h>

#include <device/lookup.h>
#include <logs/extract.h>
#include <logs/log_walk.h>
#include <render/fwlog_output.h>

namespace barscope::tool {

namespace {

using fwlog::Record;

LogForm form_of(const Arguments& arguments) {
    return arguments.ndjson ? LogForm::ndjson : arguments.json ? LogForm::json : LogForm::text;
}

// Counts, shows, or both in one go.
class Visitor final : public LogVisitor {
  public:
    void set(bool counting, LogWriter* writer) {
        counting_ = counting;
        writer_ = writer;
    }
    void record(const Record& record, bool passes) override {
        if (counting_) {
            count(record, passes);
        }
        if (passes && writer_ != nullptr) {
            writer_->record(record);
        }
    }
    void plain(const fwlog::PlainRows& rows) override {
        if (counting_) {
            summarizer_.see(rows);
        }
        if (writer_ != nullptr) {
            writer_->plain(rows);
        }
    }
    void write_summary(LogWriter& writer) { writer.summary(summarizer_.finish(), left_out_); }
    fwlog::Severity worst() const { return worst_; }

  private:
    void count(const Record& record, bool passes) {
        if (!passes) {
            ++left_out_;
            return;
        }
        summarizer_.see(record);
        if (record.kind == fwlog::RecordKind::entry || record.kind == fwlog::RecordKind::unparsed) {
            worst_ = std::max(worst_, record.severity);
        }
    }

    bool counting_ = false;
    LogWriter* writer_ = nullptr;
    fwlog::Summarizer summarizer_;
    std::uint64_t left_out_ = 0;
    fwlog::Severity worst_ = fwlog::Severity::unknown;
};

} // namespace

Result<int> show_log(Context& context, const LogInputs& inputs, const fwlog::Filter& filter) {
    const Arguments& arguments = context.arguments;
    const regmaps::Catalog catalog(map_folders(system_root(arguments.root)));
    fwlog::FieldText field_text(&catalog);
    const auto writer = make_log_writer(form_of(arguments), context.output, context.style, field_text);
    LogWriter* const records = arguments.log.summary_only ? nullptr : writer.get();
    const bool once =
        std::any_of(inputs.list.begin(), inputs.list.end(), [](const LogInput& i) { return i.once; });
    Visitor visitor;
    const LogWalk walk(inputs, filter);
    writer->begin(inputs);
    visitor.set(true, once ? records : nullptr);
    auto failure = walk.run(visitor);
    if (once) {
        context.messages.emplace_back(
            "barscope: the input is a long pipe, so the summary follows the records\n");
    }
    visitor.write_summary(*writer);
    if (!once && records != nullptr) {
        visitor.set(false, records);
        auto again = walk.run(visitor);
        failure = failure ? std::move(failure) : std::move(again);
    }
    writer->end();
    if (failure) {
        context.warn(*failure);
        return exit_status(failure->code);
    }
    const fwlog::Severity limit = arguments.log.fail_on;
    return limit != fwlog::Severity::unknown && visitor.worst() >= limit ? 1 : 0;
}

Result<int> show_log_bytes(Context& context, const LogInputs& inputs) {
    const Arguments& arguments = context.arguments;
    if (inputs.format == fwlog::Format::binary) {
        return fail(
            {.code = ErrorCode::bad_input,
             .cause = "unknown-format",
             .what = fmt::format("{} bytes that are neither text nor a core dump", inputs.bytes->size()),
             .where = inputs.file,
             .remedy = "say with --type what it is; firmware traces of bs_trace have no public format"});
    }
    const auto dump = fwlog::read_coredump(*inputs.bytes);
    if (!dump) {
        return fail(dump.error());
    }
    std::vector<WrittenSegment> written;
    if (!arguments.log.extract.empty()) {
        auto extracted = extract_segments(*inputs.bytes, *dump, arguments.log.extract);
        if (!extracted) {
            return fail(std::move(extracted.error()));
        }
        written = std::move(*extracted);
    }
    write_coredump(form_of(arguments), context.output, context.style, inputs, *dump, written);
    if (dump->problems.empty()) {
        return 0;
    }
    context.warn({.code = ErrorCode::bad_input,
                  .cause = "damaged-coredump",
                  .what = fmt::format("the core dump is damaged: {}{}", dump->problems.front(),
                                      dump->problems.size() > 1
                                          ? fmt::format(" ({} more problems)", dump->problems.size() - 1)
                                          : ""),
                  .where = inputs.file,
                  .remedy = "what could be read is shown"});
    return exit_status(ErrorCode::bad_input);
}

} // namespace barscope::tool
