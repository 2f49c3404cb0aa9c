#include <logs/log_walk.h>

namespace barscope::tool {

LogWalk::LogWalk(const LogInputs& inputs, fwlog::Filter filter)
    : inputs_(inputs), filter_(std::move(filter)), own_(filter_), filtering_(filter_.active()) {
    own_.device.reset();
}

// Of a device, only the kernel's log is everybody's; the other sources are its own.
bool LogWalk::passes(const LogInput& input, const fwlog::Record& record) const {
    const bool shared = !inputs_.facts || input.name == "kernel log";
    return !filtering_ || (shared ? filter_ : own_).passes(record);
}

void LogWalk::visit_plain(const LogInput& input, const fwlog::PlainRows& rows, LogVisitor& visitor) const {
    if (!filtering_) {
        visitor.plain(rows);
        return;
    }
    fwlog::Record record;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        fwlog::fill(record, rows, i);
        visitor.record(record, passes(input, record));
    }
}

std::optional<Error> LogWalk::run_one(const LogInput& input, LogVisitor& visitor) const {
    if (!input.open) {
        return std::nullopt;
    }
    const auto source = input.open();
    fwlog::Record record;
    while (true) {
        if (const fwlog::PlainRows rows = source->plain(); !rows.rows.empty()) {
            visit_plain(input, rows, visitor);
            continue;
        }
        const auto more = source->next(record);
        if (!more) {
            return more.error();
        }
        if (!*more) {
            return std::nullopt;
        }
        visitor.record(record, passes(input, record));
    }
}

std::optional<Error> LogWalk::run(LogVisitor& visitor) const {
    std::optional<Error> first;
    for (const LogInput& input : inputs_.list) {
        auto failure = run_one(input, visitor);
        first = first ? std::move(first) : std::move(failure);
    }
    return first;
}

} // namespace barscope::tool
