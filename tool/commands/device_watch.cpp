#include <commands/device_watch.h>

#include <safety/privileges.h>

namespace barscope::tool {

DeviceWatch::DeviceWatch(const CaptureOptions& options, bool live, Afterwards afterwards) {
    if (!live) {
        return;
    }
    signals_.emplace();
    WatchOptions watched;
    watched.signals = &*signals_;
    if (options.timeout_ns) {
        watched.limit = std::chrono::nanoseconds(*options.timeout_ns);
    }
    if (progress_.is_seen()) {
        watched.progress = [this](const std::string& what) { progress_.show(what); };
    }
    // The driver's dump is asked for by a child process, in each pass anew.
    if (afterwards == Afterwards::nothing && options.source != SourceChoice::ethtool) {
        watched.opened = [] { static_cast<void>(safety::confine()); }; // `doctor` tells what comes of it
    }
    watch_.emplace(std::move(watched));
}

void DeviceWatch::done() {
    progress_.clear();
    watch_.reset();
    signals_.reset();
}

} // namespace barscope::tool
