// A log that goes on: records as they come, until the user has seen enough. Of a device these are the
// kernel's log and, looked at once a second, the text tables. Rings in its memory and devlink are not asked
// over and over: a device in trouble is left alone.
#pragma once

#include <functional>
#include <string>

#include <commands/context.h>
#include <fwlog/filter.h>
#include <fwlog/source.h>
#include <logs/log_inputs.h>

namespace barscope::tool {

struct FollowOptions {
    std::string path;
    bool kernel_ring = false;                           // the device node itself, not a copy of its content
    std::optional<fwlog::Format> format = std::nullopt; // nothing: by the file's first bytes
    fwlog::Filter filter = {};
    std::string device_folder = {};         // of a device: its coming and going is told
    std::function<LogPlaces()> places = {}; // of a device: asked anew when it is back, since names change
};

// Ends with SIGINT or SIGTERM; then the summary is shown, and the exit status is as without --follow.
Result<int> follow_log(Context& context, FollowOptions options, const fwlog::PatternSet& patterns);

} // namespace barscope::tool
