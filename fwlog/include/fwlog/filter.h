// Which records the user wants to see. What is left out is counted, so that nobody takes a filter for a clean
// log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fwlog/record.h>
#include <safety/error.h>

namespace barscope::fwlog {

// A point in time as the user writes it: seconds since boot ("978.6"), or a date ("2025-07-07 12:37:38",
// "Aug 15 12:21:39").
struct Since {
    std::uint64_t ns = 0;
    Clock clock = Clock::kernel_monotonic;
};
std::optional<Since> parse_since(std::string_view text);

// The names by which rows speak of one device.
struct DeviceNames {
    std::string address;            // "0000:3b:00.0"; empty: not known
    std::vector<std::string> names; // interfaces, RDMA devices, controllers
    std::string driver;             // empty: none
};
// True where the row names the device; or begins with its driver's name and no device's address at all.
bool concerns(const DeviceNames& device, const Record& record);

// Whether a source of this name is meant by --source WANTED: dashes stand for spaces, and `ring` is every
// ring.
bool is_source(std::string_view name, std::string_view wanted);

struct Filter {
    std::optional<Since> since; // rows of another clock cannot be compared, and stay
    std::optional<std::uint64_t> since_sequence;
    Severity least = Severity::unknown;
    std::vector<std::string> codes;   // a pattern's or code's name or glob, or a number
    std::vector<std::string> sources; // "kernel-log", "table", "ring", ...
    std::optional<DeviceNames> device;

    bool passes(const Record& record) const;
    bool active() const;
};

} // namespace barscope::fwlog
