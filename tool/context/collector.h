// What surrounds a device at a moment: counters, settings and queues as the kernel and the driver tell them.
// Each collector says where it asked and what came of it; none is needed for a snapshot to be whole.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <capture/watch.h>
#include <device/discover.h>
#include <safety/gate.h>

namespace barscope::tool {

enum class CollectorKind { counters, settings, table };
enum class CollectorStatus { read, absent, failed, not_asked };
std::string_view name(CollectorKind kind);
std::string_view name(CollectorStatus status); // "not-asked"

struct Collected {
    std::string name;   // "ethtool -S ens1f0np0"
    std::string source; // the path or command
    CollectorKind kind = CollectorKind::settings;
    CollectorStatus status = CollectorStatus::absent;
    std::string why;                // where it gave nothing
    std::uint64_t monotonic_ns = 0; // CLOCK_MONOTONIC when it was asked
    std::vector<std::pair<std::string, std::string>> values;
};

struct ContextRequest {
    const safety::SystemRoot& root;
    const safety::DeviceFacts& facts;
    const KernelNames& names;
    // Whether questions may be asked that the driver passes on to the firmware; a reason where not.
    std::string firmware_sick;
    std::function<void(const std::string&)> progress; // before each collector; may be empty
    Watch* watch = nullptr;                           // who ends it early; null: nobody
};

std::vector<Collected> collect_context(const ContextRequest& request);

} // namespace barscope::tool
