// What has been said about a device, as values: for those who keep it, rather than show it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <capture/options.h>
#include <capture/subject.h>
#include <fwlog/summary.h>
#include <logs/log_inputs.h>

namespace barscope::tool {

struct CollectLimits {
    std::size_t records = 2000;
    std::size_t bytes = std::size_t{1} << 21; // of the records' own text
};

enum class SourceState { read, absent, failed };
std::string_view name(SourceState state);

struct CollectedSource {
    std::string name, where; // "kernel log", "/dev/kmsg"
    fwlog::Format format = fwlog::Format::rows;
    SourceState state = SourceState::read;
    std::string note;           // absent: why; read: what else is to be known of it
    std::optional<Error> error; // failed: before anything was read, or in its middle
};

struct CollectedLog {
    std::vector<CollectedSource> sources;
    fwlog::Summary summary; // of all of the device's records, also of those that are not kept
    // The newest of each source, in the order of the sources; they need the pattern set and nothing else.
    std::deque<fwlog::Record> records;
    std::uint64_t not_kept = 0; // older records of the device, beyond the limits
    std::uint64_t others = 0;   // records of the kernel's log that are not the device's
};

// The normal sources and no others: the kernel's log, the text table, `devlink health show` and the rings
// that `subject`'s map describes (null: none are read). Nothing that asks the driver or the firmware to do
// something. `patterns` must outlive what is returned.
CollectedLog collect_device_log(const safety::SystemRoot& root, safety::DeviceFacts facts,
                                const std::shared_ptr<const Subject>& subject, const CaptureOptions& options,
                                const fwlog::PatternSet& patterns, const CollectLimits& limits = {});

// The same of inputs that are there already. Where all is too much, the source with most records gives way.
CollectedLog collect_log(const LogInputs& inputs, const fwlog::Filter& filter, const CollectLimits& limits);

} // namespace barscope::tool
