#include <capture/kernel_counters.h>

#include <fmt/format.h>

#include <device/discover.h>
#include <device/files.h>
#include <device/number.h>

namespace barscope::tool {

namespace {

CounterReading no_value(std::string why) {
    return {std::nullopt, std::move(why)};
}

// The network interface whose counters are the device's, or why there is none.
struct Interface {
    std::string name, why;
};

Interface interface_of(const Subject& subject) {
    // What this machine counts says nothing about a device that was read elsewhere or at another time.
    if (!subject.facts || subject.recording != nullptr) {
        return {{}, "a file that was recorded holds no counters of the kernel"};
    }
    const NamesByAddress names = kernel_names(subject.root);
    const auto found = names.find(subject.facts->address);
    if (found == names.end() || found->second.net.empty()) {
        return {{}, "the device has no network interface, whose counter it is"};
    }
    const std::vector<std::string>& interfaces = found->second.net;
    if (interfaces.size() > 1) { // representors of virtual functions, several ports: not to be added up
        return {{},
                fmt::format("the device has {} network interfaces, and each has this counter: {} and others",
                            interfaces.size(), interfaces.front())};
    }
    return {interfaces.front(), {}};
}

CounterReading read_counter(const Subject& subject, const regmaps::Counter& counter,
                            const Interface& interface) {
    if (!counter.side_effect_free) {
        return no_value("the map does not say that reading it is free of side effects");
    }
    if (interface.name.empty()) {
        return no_value(interface.why);
    }
    const std::string file =
        fmt::format("/sys/class/net/{}/{}", interface.name, subject.map.text(counter.net));
    const auto text = read_attribute(subject.root.path(file));
    if (!text) {
        return no_value(file + " cannot be read");
    }
    const auto value = parse_digits(*text, 10);
    return value ? CounterReading{value, {}} : no_value(file + " does not hold a number");
}

} // namespace

std::vector<CounterReading> read_kernel_counters(const Subject& subject, const std::vector<bool>& wanted) {
    std::vector<CounterReading> readings(wanted.size());
    std::optional<Interface> interface;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!wanted[i]) {
            readings[i].why = "it was not asked for";
            continue;
        }
        if (!interface) {
            interface = interface_of(subject);
        }
        readings[i] = read_counter(subject, subject.map.counters[i], *interface);
    }
    return readings;
}

} // namespace barscope::tool
