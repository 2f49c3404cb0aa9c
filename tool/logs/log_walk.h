// Going through the sources of a log, with the user's filter.
#pragma once

#include <optional>

#include <fwlog/filter.h>
#include <logs/log_inputs.h>

namespace barscope::tool {

class LogVisitor {
  public:
    virtual ~LogVisitor() = default;
    // `passes`: the filter.
    virtual void record(const fwlog::Record& record, bool passes) = 0;
    // Where nothing is filtered: many rows at once.
    virtual void plain(const fwlog::PlainRows& rows) = 0;
};

class LogWalk {
  public:
    LogWalk(const LogInputs& inputs, fwlog::Filter filter);

    // Every record of every source; then the first failure of a source, if any.
    std::optional<Error> run(LogVisitor& visitor) const;
    // The same of one of the inputs.
    std::optional<Error> run_one(const LogInput& input, LogVisitor& visitor) const;

  private:
    bool passes(const LogInput& input, const fwlog::Record& record) const;
    void visit_plain(const LogInput& input, const fwlog::PlainRows& rows, LogVisitor& visitor) const;

    const LogInputs& inputs_;
    fwlog::Filter filter_, own_;
    bool filtering_;
};

} // namespace barscope::tool
