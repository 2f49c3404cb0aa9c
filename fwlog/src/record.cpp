#include <fwlog/record.h>

#include <array>
#include <utility>
#include <vector>

namespace barscope::fwlog {

namespace {

constexpr std::array<std::pair<std::string_view, Severity>, 17> words{{
    {"debug", Severity::debug},
    {"info", Severity::info},
    {"notice", Severity::notice},
    {"warning", Severity::warning},
    {"warn", Severity::warning},
    {"error", Severity::error},
    {"err", Severity::error},
    {"critical", Severity::critical},
    {"crit", Severity::critical},
    {"alert", Severity::critical},
    {"emerg", Severity::critical},
    {"panic", Severity::critical},
    {"Wa", Severity::warning},
    {"In", Severity::info},
    {"Er", Severity::error},
    {"Al", Severity::critical},
    {"unknown", Severity::unknown},
}};

} // namespace

std::string_view name(Severity severity) {
    switch (severity) {
    case Severity::debug:
        return "debug";
    case Severity::info:
        return "info";
    case Severity::notice:
        return "notice";
    case Severity::warning:
        return "warning";
    case Severity::error:
        return "error";
    case Severity::critical:
        return "critical";
    case Severity::unknown:
        break;
    }
    return "unknown";
}

std::optional<Severity> parse_severity(std::string_view word) {
    for (const auto& [text, severity] : words) {
        if (text == word) {
            return severity;
        }
    }
    return std::nullopt;
}

Severity severity_of_level(unsigned level) {
    constexpr std::array<Severity, 8> levels{Severity::critical, Severity::critical, Severity::critical,
                                             Severity::error,    Severity::warning,  Severity::notice,
                                             Severity::info,     Severity::debug};
    return level < levels.size() ? levels.at(level) : Severity::unknown;
}

std::string_view name(Clock clock) {
    switch (clock) {
    case Clock::kernel_monotonic:
        return "kernel-monotonic";
    case Clock::wall:
        return "wall";
    case Clock::wall_no_year:
        return "wall-no-year";
    case Clock::device:
        return "device";
    case Clock::none:
        break;
    }
    return "none";
}

Record kept(const Record& record) {
    Record copy;
    static_cast<RecordValues&>(copy) = record;
    copy.fields = record.fields;
    copy.data = record.data;
    copy.text = std::make_unique<std::string>();
    std::vector<std::string_view*> views{&copy.time_text,   &copy.received, &copy.code_name, &copy.program,
                                         &copy.message,     &copy.source,   &copy.raw,       &copy.extra,
                                         &copy.parse_error, &copy.boot};
    for (FieldValue& field : copy.fields) {
        views.push_back(&field.text);
        views.push_back(&field.differs);
    }
    std::size_t size = 0;
    for (const std::string_view* view : views) {
        size += view->size();
    }
    copy.text->reserve(size); // so that no view is left behind by a move of the text
    for (std::string_view* view : views) {
        const std::size_t at = copy.text->size();
        copy.text->append(*view);
        *view = std::string_view(*copy.text).substr(at);
    }
    return copy;
}

std::string_view name(RecordKind kind) {
    switch (kind) {
    case RecordKind::entry:
        return "entry";
    case RecordKind::unparsed:
        return "unparsed";
    case RecordKind::comment:
        return "comment";
    case RecordKind::gap:
        return "gap";
    case RecordKind::blank:
        return "blank";
    }
    return "entry";
}

} // namespace barscope::fwlog
