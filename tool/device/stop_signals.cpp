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

// One that nobody has heeded yet is of no use any more: what it was to end has ended.
StopSignals::~StopSignals() {
    take();
    if (file_ >= 0) {
        ::close(file_);
    }
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool StopSignals::take() {
    signalfd_siginfo info{};
    if (came_ != 0 || ::read(file_, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
        return false;
    }
    came_ = static_cast<int>(info.ssi_signo);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    return true;
}

bool StopSignals::wait(int milliseconds) {
    return wait_for(this, std::chrono::milliseconds(milliseconds));
}

bool StopSignals::wait_for(StopSignals* signals, std::chrono::nanoseconds time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    const timespec duration{static_cast<time_t>(seconds.count()),
                            static_cast<long>((time - seconds).count())};
    pollfd waiting{signals == nullptr ? -1 : signals->file_, POLLIN, 0};
    return ::ppoll(&waiting, 1, &duration, nullptr) == 1 && signals->take();
}

std::string StopSignals::name() const {
    return came_ == SIGTERM ? "SIGTERM" : "SIGINT";
}

} // namespace barscope::tool
