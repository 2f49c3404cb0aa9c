#include <device/child.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <device/files.h>

namespace barscope::tool {

namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
  public:
    Pipe() { opened_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
    ~Pipe() {
        close_read();
        close_write();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    bool opened() const { return opened_; }
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_read() { close_end(0); }
    void close_write() { close_end(1); }

  private:
    void close_end(std::size_t i) {
        if (opened_ && ends_.at(i) >= 0) {
            ::close(ends_.at(i));
            ends_.at(i) = -1;
        }
    }
    std::array<int, 2> ends_{-1, -1};
    bool opened_ = false;
};

// Standard input, output and errors of a child.
class SpawnActions {
  public:
    SpawnActions(const Pipe& out, const Pipe& err) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions_, out.write_end(), STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions_, err.write_end(), STDERR_FILENO);
    }
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

// A process group of its own, so that its children end with it, and no signal blocked or ignored: what this
// program does with signals is not the helper's business.
class SpawnAttributes {
  public:
    SpawnAttributes() {
        ::posix_spawnattr_init(&attributes_);
        ::posix_spawnattr_setflags(&attributes_,
                                   POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        sigset_t signals;
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&attributes_, &signals);
        ::sigaddset(&signals, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    }
    ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_{};
};

// Killed with its children where nobody waited for its end. Then it is hardly waited for either: a child that
// is stuck in the kernel would hold us there, too.
class Child {
  public:
    explicit Child(pid_t pid) : pid_(pid) {}
    ~Child() { kill(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Its pipes are closed, so its end is near; it gets the rest of its time.
    std::optional<int> wait_until(Clock::time_point end) {
        int status = 0;
        pid_t ended = 0;
        while ((ended = ::waitpid(pid_, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
            if (Clock::now() >= end) {
                return std::nullopt;
            }
            ::usleep(1000);
        }
        pid_ = 0;
        return status;
    }
    // False where even that does not end it.
    bool kill() {
        if (pid_ <= 0) {
            return true;
        }
        ::kill(-pid_, SIGKILL);
        return wait_until(Clock::now() + std::chrono::milliseconds(500)).has_value();
    }

  private:
    pid_t pid_;
};

Error failed(std::string cause, std::string what, const std::string& program) {
    return {ErrorCode::absent, std::move(cause), std::move(what), program, {}};
}

Error too_slow(const std::string& program, const ChildLimits& limits, Child& child) {
    const bool ended = child.kill();
    return failed("helper-timeout",
                  "the program did not end within " + std::to_string(limits.time.count()) +
                      " ms and was killed" + (ended ? "" : ", to no effect: it hangs in the kernel"),
                  program);
}

Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments, const Pipe& out,
                    const Pipe& err) {
    const SpawnActions actions(out, err);
    const SpawnAttributes attributes;
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    std::string locale = "LC_ALL=C";
    std::string path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
    const std::array<char*, 3> environment{locale.data(), path.data(), nullptr};
    pid_t pid = 0;
    const int error = ::posix_spawn(&pid, program.c_str(), actions.get(), attributes.get(), argv.data(),
                                    environment.data());
    if (error != 0) {
        return fail(failed("helper-failed", "the program cannot be run: " + errno_text(error), program));
    }
    return pid;
}

// False at the end of the pipe.
bool take(int fd, std::string& text) {
    std::array<char, 65536> piece{};
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got > 0) {
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return got > 0 || (got < 0 && errno == EINTR);
}

Result<void> collect(const std::string& program, const Pipe& out, const Pipe& err, Clock::time_point end,
                     const ChildLimits& limits, Child& child, ChildOutput& result) {
    std::array<pollfd, 3> waiting{
        {{out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}, {limits.interrupt, POLLIN, 0}}};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) {
            return fail(too_slow(program, limits, child));
        }
        if (::poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0 && errno != EINTR) {
            return fail(failed("helper-failed", "waiting failed: " + errno_text(errno), program));
        }
        if (waiting[2].revents != 0) {
            return fail(failed("helper-stopped", "the program was ended early: a signal came", program));
        }
        for (std::size_t i = 0; i < 2; ++i) {
            pollfd& each = waiting.at(i);
            if (each.fd >= 0 && each.revents != 0 && !take(each.fd, i == 0 ? result.out : result.err)) {
                each.fd = -1;
            }
            each.revents = 0;
        }
        if (result.out.size() > limits.output || result.err.size() > limits.output) {
            return fail(failed("helper-output", "the program printed too much", program));
        }
    }
    return {};
}

} // namespace

std::optional<std::string> find_program(std::string_view name) {
    if (name.find('/') != std::string_view::npos) {
        return std::nullopt;
    }
    for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"}) {
        std::string path = folder + std::string(name);
        if (exists(path)) {
            return path;
        }
    }
    return std::nullopt;
}

Result<ChildOutput> run_child(const std::string& program, const std::vector<std::string>& arguments,
                              const ChildLimits& limits) {
    const Clock::time_point end = Clock::now() + limits.time;
    Pipe out;
    Pipe err;
    if (!out.opened() || !err.opened()) {
        return fail(failed("helper-failed", "no pipe: " + errno_text(errno), program));
    }
    const auto pid = spawn(program, arguments, out, err);
    if (!pid) {
        return fail(pid.error());
    }
    Child child(*pid);
    out.close_write();
    err.close_write();
    ChildOutput result;
    if (auto collected = collect(program, out, err, end, limits, child, result); !collected) {
        return fail(std::move(collected.error()));
    }
    const auto status = child.wait_until(end);
    if (!status) {
        return fail(too_slow(program, limits, child));
    }
    if (!WIFEXITED(*status)) {
        return fail(failed("helper-failed", "the program was ended by a signal", program));
    }
    result.status = WEXITSTATUS(*status);
    return result;
}

} // namespace barscope::tool
