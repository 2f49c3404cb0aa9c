// While one lives, no signal that a keyboard or another process can send ends or stops this process: a window
// that was moved is put back first. Those that came meanwhile are delivered afterwards. Faults are not held
// up.
#pragma once

#include <csignal>

namespace barscope::tool {

class Undisturbed {
  public:
    Undisturbed() {
        sigset_t held{};
        ::sigfillset(&held);
        for (const int fault : {SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS}) {
            ::sigdelset(&held, fault);
        }
        ::pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~Undisturbed() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;

  private:
    sigset_t before_{};
};

} // namespace barscope::tool
