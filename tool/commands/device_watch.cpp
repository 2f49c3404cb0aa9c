#include <commands/device_watch.h>

namespace barscope::tool {

DeviceWatch::DeviceWatch(const CaptureOptions& options, bool live) {
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
    watch_.emplace(std::move(watched));
}

void DeviceWatch::done() {
    progress_.clear();
    watch_.reset();
    signals_.reset();
}

} // namespace barscope::tool
