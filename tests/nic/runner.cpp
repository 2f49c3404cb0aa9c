// Runs cases in the guest: before each it loads words that no map declares, so that the emulated NIC's log
// tells which access is whose, and sets off the faults of that case; then it runs the case's command under a
// time limit and notes how that ended.
//
//     nic_runner CASES RESULTS BAR-FILE FOLDER
//
// A line of CASES: NUMBER, LIMIT in ms, places to load in the BAR (commas between; the last one is the mark),
// what to keep of the output (`-`, or a name in FOLDER), then the command and its arguments; tabs between
// them, other bytes as \xNN, nothing as \e. A line of RESULTS: NUMBER, `exit` or `signal` or `timeout`, its
// number, ms, bytes of output, the first line of the messages.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kMessageBytes = 300;

struct Case {
    std::string number;
    int limit_ms = 0;
    std::vector<std::size_t> places;
    std::string keep;
    std::vector<std::string> command;
};

struct Ending {
    const char* kind = "exit";
    int number = 0;
};

std::string unescaped(const std::string& text) {
    std::string result;
    if (text == "\\e") {
        return result;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "\\x") == 0 && i + 3 < text.size()) {
            result += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
            i += 3;
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char byte : text) {
        if (byte < ' ' || byte == '\\') {
            char code[8];
            std::snprintf(code, sizeof code, "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(byte)));
            result += code;
        } else {
            result += byte;
        }
    }
    return result;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

std::optional<Case> parsed(const std::string& line) {
    const std::vector<std::string> fields = split(line, '\t');
    if (fields.size() < 5) {
        return std::nullopt;
    }
    Case result{fields[0], std::stoi(fields[1]), {}, fields[3], {}};
    for (const std::string& place : split(fields[2], ',')) {
        result.places.push_back(std::stoul(place, nullptr, 0));
    }
    for (std::size_t i = 4; i < fields.size(); ++i) {
        result.command.push_back(unescaped(fields[i]));
    }
    return result;
}

/// The BAR, for the marks: mapped for reading only.
class Bar {
  public:
    explicit Bar(const char* path) {
        const int file = open(path, O_RDONLY | O_CLOEXEC | O_SYNC);
        struct stat status {};
        if (file < 0 || fstat(file, &status) != 0) {
            return;
        }
        size_ = static_cast<std::size_t>(status.st_size);
        void* memory = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
        close(file);
        memory_ = memory == MAP_FAILED ? nullptr : static_cast<const volatile std::uint8_t*>(memory);
    }
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;
    ~Bar() {
        if (memory_ != nullptr) {
            munmap(const_cast<std::uint8_t*>(memory_), size_);
        }
    }

    [[nodiscard]] bool mapped() const { return memory_ != nullptr; }
    void load(std::size_t place) const {
        if (place % 4 == 0 && place + 4 <= size_) {
            static_cast<void>(*reinterpret_cast<const volatile std::uint32_t*>(memory_ + place));
        }
    }

  private:
    const volatile std::uint8_t* memory_ = nullptr;
    std::size_t size_ = 0;
};

void redirect(int to, const char* path, int flags) {
    const int file = open(path, flags, 0600);
    if (file >= 0) {
        dup2(file, to);
        close(file);
    }
}

[[noreturn]] void run_child(const Case& which, const std::string& out, const std::string& err) {
    setpgid(0, 0);
    redirect(0, "/dev/null", O_RDONLY);
    redirect(1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    std::vector<char*> arguments;
    for (const std::string& word : which.command) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
}

/// Waits for the child; kills it with its helpers when the time is up.
Ending awaited(pid_t child, int limit_ms) {
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
    pollfd ended{handle, POLLIN, 0};
    const bool late = poll(&ended, 1, limit_ms) == 0;
    if (late) {
        kill(-child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(handle);
    if (late) {
        return {"timeout", limit_ms};
    }
    return WIFEXITED(status) ? Ending{"exit", WEXITSTATUS(status)} : Ending{"signal", WTERMSIG(status)};
}

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return escaped(line.substr(0, kMessageBytes));
}

std::string run(const Case& which, const std::string& folder) {
    const bool kept = which.keep != "-";
    const std::string out = kept ? folder + "/" + which.keep + ".out" : "/tmp/case.out";
    const std::string err = kept ? folder + "/" + which.keep + ".err" : "/tmp/case.err";
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        run_child(which, out, err);
    }
    const Ending ending = awaited(child, which.limit_ms);
    const auto taken =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    struct stat status {};
    stat(out.c_str(), &status);
    std::ostringstream line;
    line << which.number << '\t' << ending.kind << '\t' << ending.number << '\t' << taken.count() << '\t'
         << status.st_size << '\t' << first_line(err);
    return line.str();
}

} // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        std::cerr << "usage: nic_runner CASES RESULTS BAR-FILE FOLDER\n";
        return 2;
    }
    std::ifstream cases(arguments[1]);
    std::ofstream results(arguments[2]);
    const Bar bar(arguments[3]);
    if (!cases || !results || !bar.mapped()) {
        std::cerr << "nic_runner: cannot open the cases, the results or the BAR\n";
        return 1;
    }
    for (std::string line; std::getline(cases, line);) {
        const std::optional<Case> which = parsed(line);
        if (!which) {
            std::cerr << "nic_runner: not a case: " << line << '\n';
            return 1;
        }
        for (const std::size_t place : which->places) {
            bar.load(place);
        }
        results << run(*which, arguments[4]) << std::endl;
    }
    return 0;
}
