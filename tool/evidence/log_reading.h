// A snapshot's log rows, parsed again.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <evidence/evidence.h>
#include <fwlog/record.h>

namespace barscope::tool {

// The patterns to use: the caller's, or the built-in ones.
class LogPatterns {
  public:
    explicit LogPatterns(const CompareOptions& options) : given_(options.patterns) {}
    const fwlog::PatternSet& get();

  private:
    const fwlog::PatternSet* given_;
    std::optional<fwlog::PatternSet> own_;
};

// `log`: an element of the member "logs". Goes through its records in their order.
void read_log(const nlohmann::json& log, const fwlog::PatternSet& patterns,
              const std::function<void(const fwlog::Record&)>& action);

ReportLogRecord told_record(const fwlog::Record& record, const std::string& source);
// What a record's severity is in a report; unspecified where it is no finding.
Severity severity_of_record(const fwlog::Record& record);

} // namespace barscope::tool
