// Shared by the gate's checks.
#pragma once

#include <memory>
#include <string>

#include <safety/config_space.h>
#include <safety/gate.h>

namespace barscope::safety {

inline Verdict passed(std::string check, std::string detail) {
    return {std::move(check), true, std::move(detail), std::nullopt, true};
}

// Nothing speaks against it, but nothing was seen either.
inline Verdict unchecked(std::string check, std::string why) {
    return {std::move(check), true, "not checked: " + std::move(why), std::nullopt, false};
}

inline Verdict refused(std::string check, Error error) {
    Verdict verdict{std::move(check), false, error.what, std::nullopt, true};
    verdict.refusal = std::move(error);
    return verdict;
}

// A function as the gate sees it: what sysfs says and the configuration space, where that opens.
struct Subject {
    const DeviceFacts& facts;
    std::shared_ptr<ConfigSpace> config; // may be null
};

Verdict check_power(const Subject& device, const std::optional<Subject>& physical_function);
Verdict check_memory_decode(const Subject& device);
// A VF's own Memory Space Enable is hardwired to 0; the PF's SR-IOV capability has the one that counts.
Verdict check_vf_memory_decode(const Subject& physical_function);

} // namespace barscope::safety
