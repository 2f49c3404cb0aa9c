// What this process gives up once everything that it needs is open: whatever is decoded, rendered or parsed
// afterwards can neither open anything for writing nor run a program, whoever wrote the bytes.
#pragma once

#include <string>

#include <safety/policy.h>

namespace barscope::safety {

// What may still be needed afterwards.
struct Keep {
    // CAP_DAC_READ_SEARCH, which lets root read what belongs to others; for files that are not open yet.
    bool reading_of_any_file = false;
    // Lab override: a device's file that is open for writing is mapped for each store, the audit log is
    // locked, and configuration space is opened again to compare (beyond 64 bytes for CAP_SYS_ADMIN only).
    bool stores = false;
};

// What is in force for the rest of the thread's life.
struct Confinement {
    bool no_new_privileges = false; // no program run from here could gain any
    bool capabilities_dropped = false;
    bool filter = false; // system calls: the list below docs/safety.md, "Least privilege"
    std::string why_not; // which of them is not, and why; empty: all are
};

// Of the calling thread, and of what it begins; cannot be undone. What the kernel refuses is told, and is no
// reason to go no further: the program without it is what it was before.
Confinement confine(const Keep& keep = {});

// What confine() would bring about here, tried in a process of its own: the lines of its /proc/self/status.
struct ConfinementTrial {
    Confinement said;
    std::string no_new_privileges, capabilities, seccomp; // "1", "0000000000000000", "2"; empty: not told
    std::string capabilities_before;                      // of this process
};
ConfinementTrial try_confinement();

} // namespace barscope::safety
