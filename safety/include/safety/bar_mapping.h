// The guarded mapping of one memory BAR: PROT_READ, only the pages that a plan needs, single loads of exact
// width.
#pragma once

#include <memory>
#include <string>

#include <safety/access.h>
#include <safety/gate.h>
#include <safety/policy.h>

namespace barscope::safety {

// Writes and fsyncs each intended load before it is made (--access-log FILE).
class AccessLog {
  public:
    static Result<std::unique_ptr<AccessLog>> create(const std::string& path);
    virtual ~AccessLog() = default;
    virtual Result<void> intend(const std::string& space, std::uint64_t offset, unsigned width) = 0;
};

struct BarOpenOptions {
    AccessLog* access_log = nullptr;
};

// Opens resourceN read-only after the gate has passed. On refusal by the kernel the error names the step
// (open, mmap), the errno and the cause that was tested: kernel-lockdown, privilege, exclusive-claim, ...
Result<std::unique_ptr<WordSource>> open_bar(ReadOnly, const SystemRoot& root, const DeviceFacts& facts,
                                             unsigned bar, const BarOpenOptions& options);

// Maps one page of the BAR and unmaps it again without loading anything: can this kernel be asked at all?
Verdict probe_mapping(const SystemRoot& root, const DeviceFacts& facts, unsigned bar);

} // namespace barscope::safety
