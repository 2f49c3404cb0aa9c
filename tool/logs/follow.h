// A log that goes on: records as they come, until the user has seen enough.
#pragma once

#include <string>

#include <commands/context.h>
#include <fwlog/filter.h>
#include <fwlog/source.h>

namespace barscope::tool {

struct FollowOptions {
    std::string path;
    bool kernel_ring = false;                           // the device node itself, not a copy of its content
    std::optional<fwlog::Format> format = std::nullopt; // nothing: by the file's first bytes
    std::string device_folder = {};                     // of a device: its coming and going is told
    fwlog::Filter filter = {};
};

// Ends with SIGINT or SIGTERM; then the summary is shown, and the exit status is as without --follow.
Result<int> follow_log(Context& context, FollowOptions options, const fwlog::PatternSet& patterns);

} // namespace barscope::tool
