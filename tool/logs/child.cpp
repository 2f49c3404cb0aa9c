#include <logs/child.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <device/files.h>
#include <logs/log_streams.h>

namespace barscope::tool {

namespace {

constexpr std::size_t most_output = std::size_t{1} << 24;

using Clock = std::chrono::steady_clock;

int left_ms(Clock::time_point end) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    return left > 0 ? static_cast<int>(left) : 0;
}

Error helper_error(std::string cause, std::string what, const std::string& program) {
    return {.code = ErrorCode::absent,
            .cause = std::move(cause),
            .what = std::move(what),
            .where = program,
            .remedy = {}};
}

struct Pipe {
    OpenFile reading, writing;
    bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            return false;
        }
        reading = OpenFile(ends[0]);
        writing = OpenFile(ends[1]);
        return true;
    }
};

// The environment that a helper needs and nothing else, so that its output is the same for every user.
std::vector<std::string> environment() {
    const char* path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): one thread
    return {std::string("PATH=") + (path == nullptr ? "/usr/sbin:/usr/bin:/sbin:/bin" : path), "LC_ALL=C"};
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> list;
    for (std::string& word : words) {
        list.push_back(word.data());
    }
    list.push_back(nullptr);
    return list;
}

int spawn(const std::vector<std::string>& words, int out, int err, pid_t& child) {
    std::vector<std::string> arguments = words;
    std::vector<std::string> variables = environment();
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    ::sigaddset(&signals, SIGPIPE); // ignored by this program, not by the helper
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    const int error = ::posix_spawnp(&child, arguments[0].c_str(), &actions, &attributes,
                                     pointers(arguments).data(), pointers(variables).data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    return error;
}

// False where the pipe has ended.
bool drain(int fd, std::string& into) {
    std::array<char, 65536> piece{};
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got > 0 && into.size() < most_output) {
        into.append(piece.data(), static_cast<std::size_t>(got));
    }
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

// False where time ran out.
bool collect(const Pipe& out, const Pipe& err, ChildOutput& result, Clock::time_point end) {
    bool out_open = true;
    bool err_open = true;
    while (out_open || err_open) {
        std::array<pollfd, 2> waiting{
            {{out_open ? out.reading.fd() : -1, POLLIN, 0}, {err_open ? err.reading.fd() : -1, POLLIN, 0}}};
        const int left = left_ms(end);
        const int ready = left == 0 ? 0 : ::poll(waiting.data(), waiting.size(), left);
        if (ready == 0) {
            return false;
        }
        if (waiting[0].revents != 0) {
            out_open = drain(out.reading.fd(), result.out);
        }
        if (waiting[1].revents != 0) {
            err_open = drain(err.reading.fd(), result.err);
        }
    }
    return true;
}

// Waits until `end`; false where the child has not ended.
bool reap(pid_t child, int& status, Clock::time_point end) {
    while (true) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            return true;
        }
        if (left_ms(end) == 0) {
            return false;
        }
        ::usleep(2000);
    }
}

} // namespace

Result<ChildOutput> run_child(const std::vector<std::string>& words, int limit_ms) {
    const std::string& program = words.front();
    Pipe out;
    Pipe err;
    if (!out.open() || !err.open()) {
        return fail(helper_error("helper-failed", "no pipe: " + errno_text(errno), program));
    }
    pid_t child = 0;
    if (const int error = spawn(words, out.writing.fd(), err.writing.fd(), child); error != 0) {
        return fail(
            helper_error("no-helper", "the program could not be started: " + errno_text(error), program));
    }
    out.writing = OpenFile();
    err.writing = OpenFile();
    const auto end = Clock::now() + std::chrono::milliseconds(limit_ms);
    ChildOutput result;
    int status = 0;
    if (!collect(out, err, result, end) || !reap(child, status, end)) {
        ::kill(-child, SIGKILL);
        const bool ended = reap(child, status, Clock::now() + std::chrono::milliseconds(500));
        return fail(helper_error("helper-timeout",
                                 "timed out after " + std::to_string(limit_ms / 1000) + " s" +
                                     (ended ? "" : " and could not be ended: it hangs in the kernel"),
                                 program));
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

} // namespace barscope::tool
