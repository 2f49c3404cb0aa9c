#include <device/stop_signals.h>

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace barscope::tool {

StopSignals::StopSignals() {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::sigaddset(&signals_, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &signals_, &before_);
    file_ = ::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
}

StopSignals::~StopSignals() {
    if (file_ >= 0) {
        ::close(file_);
    }
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool StopSignals::wait(int milliseconds) {
    pollfd waiting{file_, POLLIN, 0};
    signalfd_siginfo info{};
    return ::poll(&waiting, 1, milliseconds) == 1 && ::read(file_, &info, sizeof info) > 0;
}

} // namespace barscope::tool
