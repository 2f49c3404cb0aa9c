#include "fault_guard.h"

#include <array>
#include <mutex>

#include <pthread.h>

namespace barscope::safety {

namespace detail {
thread_local constinit GuardedCall* guarded_call = nullptr;
} // namespace detail

namespace {

constexpr std::array<int, 2> signals{SIGBUS, SIGSEGV};

// Which handler a signal has is a property of the process, so the bookkeeping about it is one too.
struct Bookkeeping {
    std::mutex mutex;
    unsigned users = 0;
    std::array<struct sigaction, signals.size()> previous{};
};

constinit Bookkeeping bookkeeping;

void pass_on(int signal, siginfo_t* info, void* context) {
    const struct sigaction& previous = bookkeeping.previous.at(signal == signals[0] ? 0 : 1);
    if ((previous.sa_flags & SA_SIGINFO) != 0) {
        previous.sa_sigaction(signal, info, context);
        return;
    }
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(signal);
        return;
    }
    const bool sent_by_someone = info->si_code <= 0;
    if (sent_by_someone && previous.sa_handler == SIG_IGN) {
        return;
    }
    // The fault repeats on return, and then ends the process as it would have without us.
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
    if (sent_by_someone) {
        ::raise(signal);
    }
}

bool is_ours(const detail::GuardedCall* call, int signal, const siginfo_t* info) {
    if (call == nullptr || info->si_code <= 0) {
        return false;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    // An external abort comes without an address (arm64).
    return (address >= call->begin && address < call->end) || (signal == SIGBUS && address == 0);
}

void on_fault(int signal, siginfo_t* info, void* context) {
    detail::GuardedCall* call = detail::guarded_call;
    if (is_ours(call, signal, info)) {
        siglongjmp(call->back, 1);
    }
    pass_on(signal, info, context);
}

} // namespace

FaultGuard::FaultGuard() {
    const std::lock_guard lock(bookkeeping.mutex);
    if (bookkeeping.users++ == 0) {
        struct sigaction action {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        for (std::size_t i = 0; i < signals.size(); ++i) {
            ::sigaction(signals.at(i), &action, &bookkeeping.previous.at(i));
        }
    }
    // A fault whose signal is blocked ends the process without asking a handler.
    sigset_t ours{};
    sigemptyset(&ours);
    for (const int signal : signals) {
        sigaddset(&ours, signal);
    }
    ::pthread_sigmask(SIG_UNBLOCK, &ours, &previous_mask_);
}

FaultGuard::~FaultGuard() {
    // No others: which signals are heeded may have changed meanwhile.
    sigset_t blocked{};
    sigemptyset(&blocked);
    for (const int signal : signals) {
        if (sigismember(&previous_mask_, signal) == 1) {
            sigaddset(&blocked, signal);
        }
    }
    ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    const std::lock_guard lock(bookkeeping.mutex);
    if (--bookkeeping.users == 0) {
        for (std::size_t i = 0; i < signals.size(); ++i) {
            ::sigaction(signals.at(i), &bookkeeping.previous.at(i), nullptr);
        }
    }
}

} // namespace barscope::safety
