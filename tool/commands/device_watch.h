// What a command heeds while it works on a device: --timeout, SIGINT and SIGTERM. Shows how far it has come.
#pragma once

#include <optional>

#include <capture/options.h>
#include <capture/watch.h>
#include <device/stop_signals.h>
#include <render/progress.h>

namespace barscope::tool {

// What the thread that reads the device does once all is open, beside reading and printing. `nothing`: then
// it gives up all its privileges. `more`: it runs helper programs or makes files.
enum class Afterwards { nothing, more };

class DeviceWatch {
  public:
    // `live`: a device is read; of a file nothing is waited for, and there is nothing to be ended early.
    DeviceWatch(const CaptureOptions& options, bool live, Afterwards afterwards);

    Watch* get() { return watch_ ? &*watch_ : nullptr; }
    Progress& progress() { return progress_; }
    // The device is done with: signals are what they were, and the terminal is free for the answer.
    void done();

  private:
    Progress progress_;
    std::optional<StopSignals> signals_;
    std::optional<Watch> watch_;
};

} // namespace barscope::tool
