// confine() in a child process, which then tells what the kernel says of it.
#include <safety/privileges.h>

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system.h"
#include "text.h"

namespace barscope::safety {
namespace {

std::string line_of(std::string_view status, std::string_view key) {
    const std::string wanted = "\n" + std::string(key) + ":";
    const std::size_t at = status.find(wanted);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = status.substr(at + wanted.size());
    return std::string(trimmed(rest.substr(0, rest.find('\n'))));
}

[[noreturn]] void tell(int fd) {
    const Confinement said = confine();
    std::string text;
    for (const bool fact : {said.no_new_privileges, said.capabilities_dropped, said.filter}) {
        text += fact ? '1' : '0';
    }
    text += said.why_not + '\0' + '\n' + read_small_file("/proc/self/status").text;
    static_cast<void>(!::write(fd, text.data(), text.size()));
    ::_exit(0);
}

std::string read_all(int fd) {
    std::string text;
    std::array<char, 4096> piece{};
    ssize_t got = 0;
    while ((got = ::read(fd, piece.data(), piece.size())) > 0 || (got < 0 && errno == EINTR)) {
        text.append(piece.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    return text;
}

} // namespace

ConfinementTrial try_confinement() {
    ConfinementTrial trial;
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        trial.said.why_not = "not tried: no pipe";
        return trial;
    }
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    const pid_t child = ::fork();
    if (child == 0) {
        tell(writing.get());
    }
    writing = UniqueFd();
    if (child < 0) {
        trial.said.why_not = "not tried: no process";
        return trial;
    }
    const std::string text = read_all(reading.get());
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    const std::size_t end = text.find('\0');
    if (end == std::string::npos || end < 3) {
        trial.said.why_not = "the trial ended without an answer";
        return trial;
    }
    trial.capabilities_before = line_of("\n" + read_small_file("/proc/self/status").text, "CapEff");
    trial.said = {text[0] == '1', text[1] == '1', text[2] == '1', text.substr(3, end - 3)};
    const std::string_view status = std::string_view(text).substr(end + 1);
    trial.no_new_privileges = line_of(status, "NoNewPrivs");
    trial.capabilities = line_of(status, "CapEff");
    trial.seccomp = line_of(status, "Seccomp");
    return trial;
}

} // namespace barscope::safety
