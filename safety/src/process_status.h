// What this process may do and what the kernel forbids everybody: facts that tell one EPERM from another.
#pragma once

#include <optional>
#include <string>

#include <safety/gate.h>

namespace barscope::safety {

// Bits of linux/capability.h.
inline constexpr unsigned sys_rawio = 17;
inline constexpr unsigned sys_admin = 21;

// From CapEff in /proc/self/status below the root; false where that cannot be read.
bool has_capability(const SystemRoot& root, unsigned bit);

// The mode in brackets of /sys/kernel/security/lockdown ("none", "integrity", "confidentiality"); empty where
// not told.
std::string lockdown_mode(const SystemRoot& root);

bool selinux_enforcing(const SystemRoot& root);

} // namespace barscope::safety
