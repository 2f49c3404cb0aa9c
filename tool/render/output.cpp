#include <render/output.h>

#include <cerrno>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include <device/files.h>

namespace barscope::tool {

void Output::flush() {
    std::string_view rest = text_;
    while (!rest.empty() && error_ == 0) {
        const ssize_t written = ::write(fd_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            // A pipe that somebody else set to non-blocking: wait for room rather than lose the rest.
            pollfd waiting{fd_, POLLOUT, 0};
            ::poll(&waiting, 1, -1);
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    text_.clear();
}

Result<void> Output::finish() {
    flush();
    if (error_ == 0) {
        return {};
    }
    return fail({.code = ErrorCode::output,
                 .cause = error_ == EPIPE ? "output-closed" : "output-failed",
                 .what = "the output could not be written: " + errno_text(error_),
                 .where = "standard output",
                 .remedy = error_ == EPIPE ? "what was written before is not the whole"
                                           : "free some space or write elsewhere"});
}

} // namespace barscope::tool
