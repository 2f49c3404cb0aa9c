#include <safety/config_space.h>
#include <safety/gate.h>

#include <fmt/format.h>

#include "device_files.h"
#include "gate.h"

namespace barscope::safety {
namespace {

Verdict check_present(const SystemRoot& root, const DeviceFacts& facts) {
    constexpr const char* check = "device-present";
    if (!directory_exists(facts.directory)) {
        return refused(check, device_absent(root, facts.address));
    }
    return passed(check, facts.directory);
}

std::string shown_state(const DeviceFacts& facts) {
    const auto shown = [](const std::string& state) {
        return state.empty() ? std::string("not told") : state;
    };
    return fmt::format("power_state {}, runtime_status {}", shown(facts.power_state),
                       shown(facts.runtime_status));
}

bool known_to_sleep(const DeviceFacts& facts) {
    return facts.power_state.starts_with("D3") || facts.runtime_status == "suspended";
}

// sysfs keeps showing the ids of a device that sleeps or was pulled: only the bytes themselves tell.
Verdict check_config_answers(const Subject& device) {
    constexpr const char* check = "config-answers";
    const DeviceFacts& facts = device.facts;
    const std::string where = device.config->path();
    const auto vendor = device.config->read(0, 16);
    const auto id = device.config->read(2, 16);
    if (!vendor || !id) {
        return refused(check, {ErrorCode::absent, "config-unreadable",
                               "configuration space ends before the device's identity", where, ""});
    }
    const std::string sysfs = fmt::format("{:04x}:{:04x}", facts.vendor, facts.device);
    if (*vendor == 0xffff) {
        return refused(
            check,
            {known_to_sleep(facts) ? ErrorCode::refused : ErrorCode::absent, "asleep-or-gone",
             fmt::format(
                 "device {} is asleep or gone: configuration space reads ffff where sysfs has {} ({})",
                 to_string(facts.address), sysfs, shown_state(facts)),
             where,
             "barscope never wakes a device; see whether its link is up and what the kernel log says"});
    }
    if (*vendor != facts.vendor || *id != facts.device) {
        return refused(
            check,
            {ErrorCode::refused, "identity-mismatch",
             fmt::format("configuration space says {:04x}:{:04x} where sysfs has {}", *vendor, *id, sysfs),
             where, "the device was exchanged or does not answer correctly; nothing is read from it"});
    }
    return passed(check, fmt::format("{} in {}", sysfs, where));
}

Verdict check_driver(const DeviceFacts& facts, const GateOptions& options) {
    constexpr const char* check = "driver";
    if (facts.driver.empty()) {
        return passed(check, "none bound");
    }
    const Owner owner = owner_of(facts.driver);
    if (owner == Owner::kernel_driver) {
        return passed(check, facts.driver);
    }
    if (owner != Owner::virtual_machine) {
        return passed(check, fmt::format("{}: {}", facts.driver, explain(owner)));
    }
    if (options.allow_vfio) {
        return passed(check, fmt::format("{}: {}; read on request", facts.driver, explain(owner)));
    }
    return refused(check, {ErrorCode::refused, "owned-by-vm",
                           fmt::format("driver {} is bound: a virtual machine may own device {}",
                                       facts.driver, to_string(facts.address)),
                           facts.directory + "/driver",
                           "where its owner agrees, --allow-vfio reads it all the same"});
}

struct PhysicalFunction {
    DeviceFacts facts;
    std::shared_ptr<ConfigSpace> config;
};

Result<PhysicalFunction> open_physical_function(const SystemRoot& root, const PciAddress& address) {
    auto facts = read_device_facts(root, address);
    if (!facts) {
        return fail(facts.error());
    }
    auto config = ConfigSpace::open(root, address);
    if (!config) {
        return fail(config.error());
    }
    return PhysicalFunction{std::move(*facts), std::move(*config)};
}

void check_function(const SystemRoot& root, const DeviceFacts& facts, std::vector<Verdict>& verdicts) {
    auto config = ConfigSpace::open(root, facts.address);
    if (!config) {
        verdicts.push_back(refused("config-answers", config.error()));
        verdicts.push_back(check_power({facts, nullptr}, std::nullopt));
        return;
    }
    const Subject device{facts, *config};
    verdicts.push_back(check_config_answers(device));
    const bool answers = verdicts.back().passed;
    verdicts.push_back(check_power(device, std::nullopt));
    if (answers) {
        verdicts.push_back(check_memory_decode(device));
    }
}

void check_virtual_function(const SystemRoot& root, const DeviceFacts& facts,
                            std::vector<Verdict>& verdicts) {
    auto physical = open_physical_function(root, *facts.physical_function);
    const Subject device{facts, ConfigSpace::open(root, facts.address).value_or(nullptr)};
    if (!physical) {
        verdicts.push_back(refused("config-answers", physical.error()));
        verdicts.push_back(check_power(device, std::nullopt));
        return;
    }
    const Subject parent{physical->facts, physical->config};
    verdicts.push_back(check_config_answers(parent));
    verdicts.back().detail +=
        fmt::format(" (asked the physical function {})", to_string(physical->facts.address));
    const bool answers = verdicts.back().passed;
    verdicts.push_back(check_power(device, parent));
    if (answers) {
        verdicts.push_back(check_vf_memory_decode(parent));
    }
}

} // namespace

std::vector<Verdict> check_device(const SystemRoot& root, const DeviceFacts& facts,
                                  const GateOptions& options) {
    std::vector<Verdict> verdicts;
    verdicts.push_back(check_present(root, facts));
    if (!verdicts.back().passed) {
        return verdicts;
    }
    if (facts.physical_function) {
        check_virtual_function(root, facts, verdicts);
    } else {
        check_function(root, facts, verdicts);
    }
    verdicts.push_back(check_driver(facts, options));
    return verdicts;
}

std::optional<Error> first_refusal(const std::vector<Verdict>& verdicts) {
    for (const Verdict& verdict : verdicts) {
        if (!verdict.passed) {
            return verdict.refusal;
        }
    }
    return std::nullopt;
}

} // namespace barscope::safety
