// Going through the sources of a log, with the user's filter.
#pragma once

#include <optional>

#include <fwlog/filter.h>
#include <logs/log_inputs.h>

namespace barscope::tool {

class LogWalk {
  public:
    LogWalk(const LogInputs& inputs, fwlog::Filter filter)
        : inputs_(inputs), filter_(std::move(filter)), filtering_(filter_.active()) {
        own_ = filter_;
        own_.device.reset();
    }

    // action(record, passes) for every record of every source; then the first failure of a source, if any.
    template <typename Action>
    std::optional<Error> run(const Action& action) const {
        std::optional<Error> first;
        for (const LogInput& input : inputs_.list) {
            auto failure = run_one(input, action);
            first = first ? std::move(first) : std::move(failure);
        }
        return first;
    }
    // The same of one of the inputs.
    template <typename Action>
    std::optional<Error> run_one(const LogInput& input, const Action& action) const {
        if (!input.open) {
            return std::nullopt;
        }
        const auto source = input.open();
        fwlog::Record record;
        while (true) {
            const auto more = source->next(record);
            if (!more) {
                return more.error();
            }
            if (!*more) {
                return std::nullopt;
            }
            action(record, passes(input, record));
        }
    }

  private:
    bool passes(const LogInput& input, const fwlog::Record& record) const {
        if (!filtering_) {
            return true;
        }
        // Of a device, only the kernel's log is everybody's; the other sources are its own.
        const bool shared = !inputs_.facts || input.name == "kernel log";
        return (shared ? filter_ : own_).passes(record);
    }

    const LogInputs& inputs_;
    fwlog::Filter filter_, own_;
    bool filtering_;
};

} // namespace barscope::tool
