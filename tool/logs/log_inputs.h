// The sources of one log, each of which can be gone through as often as wanted: once for the summary, once to
// show it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fwlog/source.h>
#include <logs/log_options.h>
#include <logs/log_streams.h>
#include <safety/gate.h>

namespace barscope::tool {

struct LogInput {
    std::string name;  // "kernel log", "table", "devlink"
    std::string where; // a path or a call
    fwlog::Format format = fwlog::Format::rows;
    // A fresh source; nothing where the input could not be read (`error`) or was not asked for (`note`).
    std::function<std::unique_ptr<fwlog::Source>()> open = {};
    std::optional<Error> error = {};
    std::string note = {}; // "not there: no public driver provides it"
    bool once = false;     // a long pipe: can be gone through once only
};

struct LogInputs {
    std::vector<LogInput> list;
    std::optional<safety::DeviceFacts> facts; // of a device
    fwlog::DeviceNames names;
    std::string file; // of a file
    fwlog::Format format = fwlog::Format::rows;
    // Core dumps and files that are no text.
    std::unique_ptr<fwlog::ByteFile> bytes;
    std::vector<std::pair<std::string, std::string>> blobs; // for --extract: a file's name and its bytes
    std::shared_ptr<void> owner;                            // keeps open files and texts alive
};

// Where a device's logs are, and by which names they speak of it.
struct LogPlaces {
    fwlog::DeviceNames names;
    std::string kernel_log;
    std::vector<std::string> tables; // where one could be
};
LogPlaces log_places(const safety::SystemRoot& root, const safety::DeviceFacts& facts);

// A file or standard input.
Result<LogInputs> open_log_file(const std::string& path, const LogOptions& options,
                                const fwlog::PatternSet& patterns);
// Everything that this machine holds about the device. What cannot be had is in the list with the reason.
LogInputs open_device_logs(const safety::SystemRoot& root, safety::DeviceFacts facts,
                           const LogOptions& options, const fwlog::PatternSet& patterns);

// The logs that a snapshot holds.
Result<LogInputs> open_snapshot_logs(const std::string& path, const fwlog::PatternSet& patterns);

// A source whose text is in memory.
std::function<std::unique_ptr<fwlog::Source>()> text_source(std::shared_ptr<const std::string> text,
                                                            fwlog::Format format, std::string name,
                                                            const fwlog::PatternSet& patterns);

} // namespace barscope::tool
