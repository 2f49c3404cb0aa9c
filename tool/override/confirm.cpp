#include <override/confirm.h>

#include <cerrno>

#include <optional>

#include <unistd.h>

#include <render/output.h>

namespace barscope::tool {

namespace {

constexpr std::size_t longest_answer = 256;

Error not_confirmed(std::string what, std::string remedy) {
    return {ErrorCode::refused, "not-confirmed", std::move(what), {}, std::move(remedy)};
}

// A line without its end; nothing where input ended before one.
std::optional<std::string> read_line() {
    std::string line;
    char c = 0;
    while (line.size() < longest_answer) {
        const ssize_t got = ::read(STDIN_FILENO, &c, 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got != 1) {
            return std::nullopt;
        }
        if (c == '\n') {
            return line;
        }
        line += c;
    }
    return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

} // namespace

Result<void> confirm(const std::string& plan, const safety::PciAddress& address, bool yes) {
    if (yes) {
        return {};
    }
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) {
        return fail(not_confirmed("nobody can be asked: standard input or standard error is no terminal",
                                  "--yes answers for a script; nothing was written"));
    }
    Output question(STDERR_FILENO);
    question.text() = plan + "Type the device's address to go on, anything else to leave it: ";
    if (auto shown = question.finish(); !shown) {
        return shown;
    }
    const auto answer = read_line();
    const auto typed = safety::parse_pci_address(trimmed(answer.value_or("")));
    if (!answer || !typed || *typed != address) {
        return fail(not_confirmed(answer ? "the answer is not the device's address" : "there was no answer",
                                  "nothing was written; the address is " + to_string(address)));
    }
    return {};
}

} // namespace barscope::tool
