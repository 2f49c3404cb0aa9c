#include <fwlog/record.h>

namespace barscope::fwlog {

std::string_view name(Severity severity) {
    switch (severity) {
    case Severity::debug:
        return "debug";
    case Severity::info:
        return "info";
    case Severity::notice:
        return "notice";
    case Severity::warning:
        return "warning";
    case Severity::error:
        return "error";
    case Severity::critical:
        return "critical";
    case Severity::unknown:
        break;
    }
    return "unknown";
}

std::string_view name(Clock clock) {
    switch (clock) {
    case Clock::kernel_monotonic:
        return "kernel-monotonic";
    case Clock::wall:
        return "wall";
    case Clock::device:
        return "device";
    case Clock::none:
        break;
    }
    return "none";
}

} // namespace barscope::fwlog
