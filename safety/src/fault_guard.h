// Turns SIGBUS and SIGSEGV on a device mapping into an answer. A mapping is revoked under its reader when the
// device is unplugged or a driver claims the BAR.
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstdint>

namespace barscope::safety {

namespace detail {

struct GuardedCall {
    std::uintptr_t begin = 0; // faults at addresses in [begin, end) are ours
    std::uintptr_t end = 0;
    sigjmp_buf back{};
};

// The handler gets a signal number and an address and must find its way back from them alone; a fault is
// delivered to the thread that made it, so each thread has its own.
extern thread_local constinit GuardedCall* guarded_call;

} // namespace detail

// While one lives, the handlers are in place; the last to go puts the previous ones back.
class FaultGuard {
  public:
    FaultGuard();
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;

    // False where `work` was left by a fault in the region. `work` must own nothing, and what it had written
    // to memory by volatile stores is as it was at the fault.
    template <typename Work>
    bool run(const void* begin, std::size_t length, Work work) {
        detail::GuardedCall call;
        call.begin = reinterpret_cast<std::uintptr_t>(begin);
        call.end = call.begin + length;
        // Without the mask: the handlers run with SA_NODEFER and an empty mask, so there is none to put back.
        if (sigsetjmp(call.back, 0) != 0) {
            detail::guarded_call = nullptr;
            return false;
        }
        detail::guarded_call = &call;
        work();
        detail::guarded_call = nullptr;
        return true;
    }

  private:
    sigset_t previous_mask_{};
};

} // namespace barscope::safety
