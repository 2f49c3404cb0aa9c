// Collectors that read files of sysfs and procfs.
#include <context/collectors.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <device/child.h>
#include <device/files.h>

namespace barscope::tool {

namespace {

constexpr std::size_t most_values = 100'000;
constexpr std::size_t largest_table = std::size_t{16} << 20; // a row has a column for each processor

// Each file's first line; what cannot be read is left out.
void add_attributes(Collected& collected, const std::string& folder, const std::string& prefix = {}) {
    for (const std::string& name : list_directory(folder)) {
        const std::string path = fmt::format("{}/{}", folder, name);
        if (collected.values.size() < most_values && is_regular(path)) {
            if (const auto value = read_attribute(path)) {
                collected.values.emplace_back(prefix + name, *value);
            }
        }
    }
}

void conclude(Collected& collected, const char* absent) {
    if (!collected.values.empty()) {
        collected.status = CollectorStatus::read;
    } else {
        collected.why = absent;
    }
}

// "RxErr 0" lines.
void add_aer(Collected& collected, const std::string& path, const std::string& prefix) {
    const auto text = read_attribute(path);
    if (!text) {
        return;
    }
    std::string_view rest = *text;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::size_t space = line.rfind(' ');
        if (space != std::string_view::npos) {
            collected.values.emplace_back(prefix + "." + std::string(line.substr(0, space)),
                                          std::string(line.substr(space + 1)));
        }
    }
}

// The sum of a row's per-processor columns, and what stands behind them.
struct InterruptRow {
    std::uint64_t count = 0;
    std::string name;
};
InterruptRow parse_interrupts(std::string_view row) {
    InterruptRow result;
    while (true) {
        row.remove_prefix(std::min(row.find_first_not_of(' '), row.size()));
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(row.data(), row.data() + row.size(), number);
        if (error != std::errc() || (end != row.data() + row.size() && *end != ' ')) {
            break;
        }
        result.count += number;
        row.remove_prefix(static_cast<std::size_t>(end - row.data()));
    }
    result.name = std::string(row.substr(row.rfind(' ') == std::string_view::npos ? 0 : row.rfind(' ') + 1));
    return result;
}

} // namespace

Collected collect_net_statistics(const ContextRequest& request, const std::string& interface) {
    Collected collected = begin_collector("net statistics " + interface, CollectorKind::counters);
    collected.source = request.root.path("/sys/class/net/" + interface + "/statistics");
    add_attributes(collected, collected.source);
    conclude(collected, "the kernel shows no statistics there");
    return collected;
}

Collected collect_net_settings(const ContextRequest& request, const std::string& interface) {
    Collected collected = begin_collector("net settings " + interface, CollectorKind::settings);
    collected.source = request.root.path("/sys/class/net/" + interface);
    // Others (speed, duplex) make the kernel wait for a lock that a stuck driver may hold.
    for (const char* name : {"address", "mtu", "operstate", "carrier_changes", "tx_queue_len", "flags"}) {
        if (const auto value = read_attribute(collected.source + "/" + name)) {
            collected.values.emplace_back(name, *value);
        }
    }
    conclude(collected, "the kernel shows no attributes there");
    return collected;
}

Collected collect_aer(const ContextRequest& request) {
    Collected collected = begin_collector("AER", CollectorKind::counters);
    collected.source = request.facts.directory + "/aer_dev_*";
    for (const char* kind : {"correctable", "nonfatal", "fatal"}) {
        add_aer(collected, request.facts.directory + "/aer_dev_" + kind, kind);
    }
    conclude(collected, "the kernel counts no AER errors for this device");
    return collected;
}

Collected collect_interrupts(const ContextRequest& request) {
    Collected collected = begin_collector("interrupts", CollectorKind::counters);
    collected.source = request.root.path("/proc/interrupts");
    const std::vector<std::string> numbers = list_directory(request.facts.directory + "/msi_irqs");
    const auto table = read_table(collected.source, largest_table);
    std::string_view rest = table ? std::string_view(*table) : std::string_view();
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos ||
            !std::binary_search(numbers.begin(), numbers.end(), line.substr(0, colon))) {
            continue;
        }
        const InterruptRow row = parse_interrupts(line.substr(colon + 1));
        collected.values.emplace_back("irq " + std::string(line.substr(0, colon)) + " " + row.name,
                                      std::to_string(row.count));
    }
    conclude(collected,
             numbers.empty() ? "the device has no MSI interrupts" : "none of its interrupts is listed");
    return collected;
}

Collected collect_parameters(const ContextRequest& request) {
    Collected collected = begin_collector("module parameters", CollectorKind::settings);
    const std::string& driver = request.facts.driver;
    if (driver.empty()) {
        collected.why = "no driver is bound";
        return collected;
    }
    collected.source = request.root.path("/sys/module/" + driver + "/parameters");
    add_attributes(collected, collected.source);
    conclude(collected, "the driver's module has no parameters that can be read");
    return collected;
}

// Reading these makes the driver ask its firmware, which may take long: another process does it, under a time
// limit.
Collected collect_rdma_counters(const ContextRequest& request, const std::string& device) {
    Collected collected = begin_collector("RDMA counters " + device, CollectorKind::counters);
    collected.source =
        request.root.path("/sys/class/infiniband/" + device + "/ports/*/{hw_counters,counters}");
    if (!request.firmware_sick.empty()) {
        collected.status = CollectorStatus::not_asked;
        collected.why = request.firmware_sick;
        return collected;
    }
    const std::string ports = request.root.path("/sys/class/infiniband/" + device + "/ports");
    for (const std::string& port : list_directory(ports)) {
        for (const char* kind : {"hw_counters", "counters"}) {
            const std::string folder = fmt::format("{}/{}/{}", ports, port, kind);
            if (!exists(folder)) {
                continue;
            }
            const auto output = run_child("/usr/bin/grep", {"-rs", "--binary-files=text", "", folder + "/"},
                                          helper_limits(request));
            if (!output) {
                collected.status = CollectorStatus::failed;
                collected.why = to_string(output.error());
                return collected;
            }
            std::string_view rest = output->out;
            while (!rest.empty()) {
                const std::string_view line = rest.substr(0, rest.find('\n'));
                rest.remove_prefix(std::min(line.size() + 1, rest.size()));
                const std::size_t colon = line.rfind(':');
                const std::size_t slash = line.rfind('/', colon);
                if (colon != std::string_view::npos && slash != std::string_view::npos) {
                    collected.values.emplace_back("port " + port + " " +
                                                      std::string(line.substr(slash + 1, colon - slash - 1)),
                                                  std::string(line.substr(colon + 1)));
                }
            }
        }
    }
    std::sort(collected.values.begin(), collected.values.end());
    conclude(collected, "the kernel shows no counters there");
    return collected;
}

} // namespace barscope::tool
