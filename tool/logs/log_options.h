// What the user asked of a log.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fwlog/filter.h>
#include <fwlog/source.h>

namespace barscope::tool {

class Watch;

struct LogOptions {
    fwlog::Filter filter;
    std::string device; // of a file: only rows that name it
    std::optional<fwlog::Format> type;
    fwlog::Severity fail_on = fwlog::Severity::unknown; // unknown: never
    bool summary_only = false, follow = false;
    std::vector<std::string> pattern_files;
    std::string extract;    // folder
    Watch* watch = nullptr; // who ends it early; null: nobody
    // What asks the driver or the firmware to do something: never without being told to.
    bool diagnose = false, dump = false, bs_trace = false;
};

} // namespace barscope::tool
