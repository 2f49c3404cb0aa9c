// The logs in a snapshot: each source's rows go through the parser that read them first.
#include <logs/log_inputs.h>

#include <evidence/json_fields.h>
#include <evidence/snapshot.h>

namespace barscope::tool {

namespace {

std::string joined_rows(const nlohmann::json& rows) {
    std::string text;
    for (std::size_t i = 0; rows.is_array() && i < rows.size(); ++i) {
        if (rows[i].is_string()) {
            text += rows[i].get_ref<const std::string&>();
            text += '\n';
        }
    }
    return text;
}

Result<LogInput> read_source(const nlohmann::json& source, const std::string& pointer,
                             const std::string& path, const fwlog::PatternSet& patterns) {
    JsonFields fields(source, pointer, path);
    LogInput input{.name = fields.text("name"), .where = fields.text("source")};
    const std::string status = fields.text("status");
    const std::string why = fields.text_or("why", "");
    const auto format = fwlog::parse_format(fields.text_or("format", "rows"));
    const nlohmann::json* rows = status == "read" ? fields.array("rows") : nullptr;
    if (!format) {
        fields.wrong("format", "the name of a log's format");
    }
    if (fields.error()) {
        return fail(*fields.error());
    }
    input.format = *format;
    if (rows != nullptr) {
        const bool kernel = *format == fwlog::Format::kmsg;
        input.open = text_source(std::make_shared<const std::string>(joined_rows(*rows)), *format,
                                 kernel ? std::string() : input.name, patterns);
    } else if (status == "failed") {
        input.error = Error{ErrorCode::absent, "not-recorded", "not recorded: " + why, input.where, {}};
    } else {
        input.note = why;
    }
    return input;
}

} // namespace

Result<LogInputs> open_snapshot_logs(const std::string& path, const fwlog::PatternSet& patterns) {
    const auto snapshot = open_snapshot(path);
    if (!snapshot) {
        return fail(snapshot.error());
    }
    LogInputs inputs;
    inputs.file = path;
    const auto logs = snapshot->head->find("logs");
    if (logs == snapshot->head->end()) {
        return fail({.code = ErrorCode::absent,
                     .cause = "no-logs",
                     .what = "the snapshot was made without logs",
                     .where = path,
                     .remedy = "leave out --no-logs when it is made"});
    }
    for (std::size_t i = 0; i < logs->size(); ++i) {
        auto input = read_source((*logs)[i], "/logs/" + std::to_string(i), path, patterns);
        if (!input) {
            return fail(std::move(input.error()));
        }
        inputs.list.push_back(std::move(*input));
    }
    return inputs;
}

} // namespace barscope::tool
