// The dump is asked for in a child: a driver that is stuck holds the caller in the kernel, where no signal
// ends it.
#include "ethtool_dump.h"

#include <array>
#include <cerrno>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "byte_stream.h"
#include "text.h"

namespace barscope::safety {
namespace {

using Milliseconds = std::chrono::milliseconds;

std::string packed(const Result<EthtoolDump>& result) {
    ByteWriter out;
    if (!result) {
        const Error& error = result.error();
        out.number(static_cast<std::uint32_t>(error.code) + 1);
        for (const std::string* part : {&error.cause, &error.what, &error.where, &error.remedy}) {
            out.text(*part);
        }
        return out.bytes();
    }
    out.number(0);
    out.text(result->driver);
    out.number(result->version);
    out.text(std::string_view(reinterpret_cast<const char*>(result->bytes.data()), result->bytes.size()));
    return out.bytes();
}

Error no_answer(const std::string& interface, std::string cause, std::string what) {
    return {ErrorCode::absent, std::move(cause), std::move(what), interface,
            "the driver may be stuck; look at the kernel log (dmesg)"};
}

Result<EthtoolDump> unpacked_error(std::uint32_t code, ByteReader& in) {
    Error error;
    error.code = static_cast<ErrorCode>(code - 1);
    for (std::string* part : {&error.cause, &error.what, &error.where, &error.remedy}) {
        *part = in.text().value_or("");
    }
    return fail(std::move(error));
}

Result<EthtoolDump> unpacked(std::string_view answer, const std::string& interface) {
    ByteReader in(answer);
    const auto code = in.number();
    if (code && *code != 0) {
        return unpacked_error(*code, in);
    }
    const auto driver = in.text();
    const auto version = in.number();
    const auto bytes = in.text();
    if (!driver || !version || !bytes) {
        return fail(
            no_answer(interface, "dump-failed", "the process that asked the driver ended without an answer"));
    }
    EthtoolDump dump;
    dump.driver = *driver;
    dump.version = *version;
    dump.bytes.assign(bytes->begin(), bytes->end());
    return dump;
}

[[noreturn]] void answer_and_exit(System& system, const std::string& interface, int pipe) {
    const std::string answer = packed(read_ethtool_dump_with(system, interface, true));
    std::string_view rest = answer;
    while (!rest.empty()) {
        const ssize_t written = ::write(pipe, rest.data(), rest.size());
        if (written <= 0 && errno != EINTR) {
            break;
        }
        rest.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    ::_exit(0);
}

// Everything up to the end of the pipe, or nothing where that does not come in time.
std::optional<std::string> read_until(System& system, int pipe, std::uint64_t deadline) {
    std::string answer;
    std::array<char, 65536> chunk{};
    for (;;) {
        const std::uint64_t now = system.monotonic_ns();
        pollfd waiting{pipe, POLLIN, 0};
        const std::uint64_t left_ms = now < deadline ? (deadline - now) / 1'000'000U + 1 : 0;
        const int ready = ::poll(&waiting, 1, static_cast<int>(left_ms));
        if (ready == 0) {
            return std::nullopt;
        }
        const ssize_t got = ready > 0 ? ::read(pipe, chunk.data(), chunk.size()) : -1;
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return answer;
        }
        answer.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

} // namespace

Result<EthtoolDump> read_ethtool_dump_in_child(System& system, const std::string& interface,
                                               bool side_effect_free, Milliseconds limit) {
    if (const Result<void> allowed = may_ask_for_dump(interface, side_effect_free); !allowed) {
        return fail(allowed.error());
    }
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return fail(no_answer(interface, "dump-failed", fmt::format("pipe2: {}", errno_name(errno))));
    }
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    const std::uint64_t deadline =
        system.monotonic_ns() + static_cast<std::uint64_t>(std::chrono::nanoseconds(limit).count());
    const pid_t child = ::fork();
    if (child == 0) {
        answer_and_exit(system, interface, writing.get());
    }
    if (child < 0) {
        return fail(no_answer(interface, "dump-failed", fmt::format("fork: {}", errno_name(errno))));
    }
    writing = UniqueFd();
    const std::optional<std::string> answer = read_until(system, reading.get(), deadline);
    if (!answer) {
        // Not waited for: it ends when the driver lets go of it.
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, WNOHANG);
        return fail(no_answer(
            interface, "dump-timed-out",
            fmt::format("ETHTOOL_GREGS timed out: the driver gave no answer in {} ms", limit.count())));
    }
    ::waitpid(child, nullptr, 0);
    return unpacked(*answer, interface);
}

Result<EthtoolDump> read_ethtool_dump(ReadOnly, const std::string& interface, bool side_effect_free) {
    constexpr Milliseconds limit{10'000};
    System system;
    return read_ethtool_dump_in_child(system, interface, side_effect_free, limit);
}

} // namespace barscope::safety
