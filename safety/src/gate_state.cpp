// Power state and memory decoding: both are only looked at, never changed.
#include "gate.h"

#include <array>

#include <fmt/format.h>

namespace barscope::safety {
namespace {

constexpr std::uint8_t cap_power_management = 0x01;
constexpr std::uint16_t ext_cap_sriov = 0x10;

// What the device itself says: PCI Bus Power Management Interface Specification, PMCSR at capability + 4,
// bits 1:0.
enum class OwnState { d0, low, not_told };

struct OwnPower {
    OwnState state = OwnState::not_told;
    std::string text;
};

OwnPower own_power(ConfigSpace* config) {
    if (config == nullptr || config->size() < 0x100) {
        return {};
    }
    const std::vector<std::uint32_t> found = config->capabilities(cap_power_management);
    if (found.empty()) {
        // A function without the capability has no other state than D0; but a dead one has no capabilities
        // either.
        const bool alive = config->read(0, 16).value_or(0xffff) != 0xffff;
        return alive ? OwnPower{OwnState::d0, "no power management capability"} : OwnPower{};
    }
    const auto control = config->read(found.front() + 4, 16);
    if (!control || *control == 0xffff) {
        return {};
    }
    static constexpr std::array<const char*, 4> names{"D0", "D1", "D2", "D3hot"};
    const unsigned state = *control & 3U;
    return {state == 0 ? OwnState::d0 : OwnState::low, fmt::format("PMCSR {}", names.at(state))};
}

Error not_in_d0(const DeviceFacts& facts, const std::string& seen) {
    return {ErrorCode::refused, "not-in-d0",
            fmt::format("device {} is not in D0: {}", to_string(facts.address), seen), facts.directory,
            "barscope never wakes a device; its driver does when the device is in use (an interface that is "
            "up, for example)"};
}

Verdict check_one(const Subject& device) {
    constexpr const char* check = "power-state";
    const DeviceFacts& facts = device.facts;
    const OwnPower own = own_power(device.config.get());
    // "unknown" is what the kernel shows after a driver let go of the device: then only the device can tell.
    const bool kernel_cannot_tell = facts.power_state == "unknown";
    const bool kernel_says_d0 = facts.power_state.empty() || facts.power_state == "D0";
    if (!kernel_says_d0 && !kernel_cannot_tell) {
        return refused(check, not_in_d0(facts, "power_state " + facts.power_state));
    }
    const bool runtime_active = facts.runtime_status.empty() || facts.runtime_status == "active" ||
                                facts.runtime_status == "unsupported";
    if (!runtime_active) {
        return refused(check, not_in_d0(facts, "runtime_status " + facts.runtime_status));
    }
    if (own.state == OwnState::low) {
        return refused(
            check, not_in_d0(facts, fmt::format("{} while sysfs says power_state {}", own.text,
                                                facts.power_state.empty() ? "nothing" : facts.power_state)));
    }
    if (kernel_cannot_tell && own.state == OwnState::not_told) {
        return refused(check,
                       not_in_d0(facts, "power_state unknown, and the device's own state cannot be read"));
    }
    return passed(check, fmt::format("power_state {}, runtime_status {}{}{}",
                                     facts.power_state.empty() ? "not told" : facts.power_state,
                                     facts.runtime_status.empty() ? "not told" : facts.runtime_status,
                                     own.text.empty() ? "" : ", ", own.text));
}

constexpr const char* decode_check = "memory-decode";

Error decode_off(const DeviceFacts& facts, std::string what, const std::string& where) {
    return {ErrorCode::refused, "memory-decode-off",
            fmt::format("memory space disabled: {} of device {}", what, to_string(facts.address)), where,
            "a driver turns it on when it binds; barscope never does, and turning it on by hand can hang a "
            "machine whose "
            "device is not set up"};
}

} // namespace

Verdict check_power(const Subject& device, const std::optional<Subject>& physical_function) {
    Verdict own = check_one(device);
    if (!own.passed || !physical_function) {
        return own;
    }
    Verdict parent = check_one(*physical_function);
    if (!parent.passed) {
        return parent;
    }
    own.detail += fmt::format("; physical function: {}", parent.detail);
    return own;
}

Verdict check_memory_decode(const Subject& device) {
    const auto command = device.config->read(0x04, 16);
    if (!command) {
        return refused(decode_check,
                       {ErrorCode::absent, "config-unreadable",
                        "configuration space ends before the command register", device.config->path(), ""});
    }
    if ((*command & 0x2U) == 0) {
        return refused(decode_check,
                       decode_off(device.facts, fmt::format("command register {:#06x}", *command),
                                  device.config->path()));
    }
    return passed(decode_check, fmt::format("command register {:#06x}", *command));
}

// PCI Express Base Specification, SR-IOV Control at capability + 8, bit 3: VF MSE.
Verdict check_vf_memory_decode(const Subject& physical_function) {
    ConfigSpace& config = *physical_function.config;
    const std::vector<std::uint32_t> found = config.extended_capabilities(ext_cap_sriov);
    const auto control = found.empty() ? std::nullopt : config.read(found.front() + 8, 16);
    if (!control) {
        return unchecked(decode_check, "the physical function's SR-IOV capability cannot be read");
    }
    if ((*control & 0x8U) == 0) {
        return refused(
            decode_check,
            decode_off(physical_function.facts,
                       fmt::format("VF Memory Space Enable is off in SR-IOV control {:#06x}", *control),
                       config.path()));
    }
    return passed(
        decode_check,
        fmt::format("VF Memory Space Enable in the physical function's SR-IOV control {:#06x}", *control));
}

} // namespace barscope::safety
