// What is left after confine(): each attempt is made in a child process, by the system call itself.
#include <catch2/catch.hpp>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <future>
#include <vector>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <safety/privileges.h>

#include "safety_tree.h"
#include "text.h"

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

// What the child answers, 0 to 255; -1 where it died.
int in_child(const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(work());
    }
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool filtered() {
    return in_child([] { return confine().filter ? 1 : 0; }) == 1;
}

struct Attempt {
    const char* what;
    std::function<long()> call;
    int error = EPERM;
    bool is_store = false; // of a file that is open for writing
};

std::string status_line(const std::string& key) {
    const std::string text = "\n" + read_small_file("/proc/self/status").text;
    const std::size_t at = text.find("\n" + key + ":");
    const std::string rest = text.substr(at + key.size() + 2);
    return std::string(trimmed(rest.substr(0, rest.find('\n'))));
}

std::vector<Attempt> attempts(const Tree& tree) {
    const std::string file = tree.device("resource0");
    const int writable = ::open(file.c_str(), O_RDWR | O_CLOEXEC); // as if something had left it open
    const int readable = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const auto opens = [=](int flags) {
        return [=] { return ::syscall(SYS_openat, AT_FDCWD, file.c_str(), flags, 0600); };
    };
    const auto maps = [](int protection, int flags, int fd) {
        return [=] { return ::mmap(nullptr, 4096, protection, flags, fd, 0) == MAP_FAILED ? -1L : 0L; };
    };
    const std::string fresh = tree.path("/fresh");
    std::vector<Attempt> all{
        {"open for writing", opens(O_WRONLY)},
        {"open for both", opens(O_RDWR)},
        {"open for neither", opens(O_ACCMODE)},
        {"create", [=] { return ::syscall(SYS_openat, AT_FDCWD, fresh.c_str(), O_RDONLY | O_CREAT, 0600); }},
        {"truncate", opens(O_RDONLY | O_TRUNC)},
        {"append", opens(O_RDONLY | O_APPEND)},
        {"nameless file", [=] { return ::syscall(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600); }},
        {"openat2",
         [=] {
             open_how how{};
             how.flags = O_RDONLY;
             return ::syscall(SYS_openat2, AT_FDCWD, file.c_str(), &how, sizeof how);
         }},
        {"truncate by name", [=] { return ::truncate(file.c_str(), 0); }},
        {"truncate by file", [=] { return ::ftruncate(writable, 0); }},
        {"unlink", [=] { return ::unlink(file.c_str()); }},
        {"rename", [=] { return ::rename(file.c_str(), fresh.c_str()); }},
        {"link", [=] { return ::link(file.c_str(), fresh.c_str()); }},
        {"symlink", [=] { return ::symlink("x", fresh.c_str()); }},
        {"mkdir", [=] { return ::mkdir(fresh.c_str(), 0700); }},
        {"chmod", [=] { return ::chmod(file.c_str(), 0777); }},
        {"chown", [=] { return ::chown(file.c_str(), 0, 0); }},
        {"mknod", [=] { return ::mknod(fresh.c_str(), S_IFIFO | 0600, 0); }},
        {"a mapping that writes to a file", maps(PROT_READ | PROT_WRITE, MAP_SHARED, writable), EPERM, true},
        {"the same, validated", maps(PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE, writable), EPERM, true},
        {"an executable mapping", maps(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1)},
        {"an executable mapping of a file", maps(PROT_READ | PROT_EXEC, MAP_SHARED, readable)},
        {"mprotect exec", [=] { return ::mprotect(page, 4096, PROT_READ | PROT_EXEC); }},
        {"execve",
         [] {
             char* const none[] = {nullptr};
             return ::execve("/bin/true", none, none);
         }},
        {"execveat", [=] { return ::syscall(SYS_execveat, readable, "", nullptr, nullptr, AT_EMPTY_PATH); }},
        {"fork", [] { return ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr); }},
        {"clone3", [] { return ::syscall(SYS_clone3, nullptr, 0); }, ENOSYS},
        {"socket", [] { return ::socket(AF_INET, SOCK_DGRAM, 0); }},
        {"netlink", [] { return ::socket(AF_NETLINK, SOCK_RAW, 0); }},
        {"connect", [=] { return ::connect(readable, nullptr, 0); }},
        {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
        {"another process's memory",
         [] { return ::syscall(SYS_process_vm_writev, ::getppid(), nullptr, 0, nullptr, 0, 0); }},
        {"a signal to another process", [] { return ::kill(::getppid(), 0); }},
        {"bpf", [] { return ::syscall(SYS_bpf, 0, nullptr, 0); }},
        {"perf", [] { return ::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
        {"mount", [] { return ::syscall(SYS_mount, "x", "/", "tmpfs", 0, nullptr); }},
        {"unshare", [] { return ::syscall(SYS_unshare, 0); }},
        {"setns", [=] { return ::syscall(SYS_setns, readable, 0); }},
        {"chroot", [] { return ::chroot("/"); }},
        {"keyctl", [] { return ::syscall(SYS_keyctl, 0, 0, 0, 0, 0); }},
        {"a kernel module", [] { return ::syscall(SYS_init_module, nullptr, 0, ""); }},
        {"setuid", [] { return ::syscall(SYS_setuid, 0); }},
        {"prctl", [] { return ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }},
        {"typing for the user", [] { return ::ioctl(STDIN_FILENO, TIOCSTI, "x"); }},
        {"io_uring", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr); }},
        {"memory as a file", [] { return ::syscall(SYS_memfd_create, "x", 0); }},
    };
#if defined(__x86_64__)
    all.push_back({"iopl", [] { return ::syscall(SYS_iopl, 3); }});
    all.push_back({"ioperm", [] { return ::syscall(SYS_ioperm, 0x80, 1, 1); }});
    all.push_back({"creat", [=] { return ::syscall(SYS_creat, fresh.c_str(), 0600); }});
    all.push_back({"open, the old call", [=] { return ::syscall(SYS_open, file.c_str(), O_WRONLY); }});
    all.push_back({"fork, the old call", [] { return ::syscall(SYS_fork); }});
    all.push_back({"vfork", [] { return ::syscall(SYS_vfork); }});
#endif
    return all;
}

} // namespace

TEST_CASE("after the gate nothing is opened for writing, nothing is run, nobody is talked to") {
    if (!filtered()) {
        WARN("the filter is not in force in this build or on this kernel: nothing was tested");
        return;
    }
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\x11'));
    const Keep keep = GENERATE(Keep{}, Keep{.reading_of_any_file = true}, Keep{.stores = true});
    for (const Attempt& attempt : attempts(tree)) {
        INFO(attempt.what << (keep.stores ? ", stores" : "")
                          << (keep.reading_of_any_file ? ", any file" : ""));
        const int answer = in_child([&] {
            static_cast<void>(confine(keep));
            errno = 0;
            return attempt.call() == -1 ? errno : 0;
        });
        // What lab override has opened for writing it may map.
        const bool granted = keep.stores && attempt.is_store;
        CHECK(answer == (granted ? 0 : attempt.error));
    }
}

TEST_CASE("what the attempts try would work without the gate") {
    // So that EPERM above is the filter's: some that need no privilege.
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\x11'));
    for (const Attempt& attempt : attempts(tree)) {
        const std::string_view what = attempt.what;
        if (what == "open for writing" || what == "create" || what == "a mapping that writes to a file" ||
            what == "an executable mapping" || what == "mprotect exec" || what == "socket" ||
            what == "ptrace" || what == "openat2" || what == "rename") {
            INFO(what);
            CHECK(in_child([&] { return attempt.call() == -1 ? 1 : 0; }) == 0);
        }
    }
}

TEST_CASE("reading goes on: files, BARs, threads, memory, clocks and what is open") {
    const Tree tree;
    add_bar(tree, 0xfe000000, 0x1000, std::string(0x1000, '\x11'));
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const int failed = in_child([&] {
        static_cast<void>(confine());
        const SpaceCapture capture = open_source(tree)->read(plan_of({word(0x10), word(0x800)}), {});
        const auto beside = std::async(std::launch::async, [] { return std::string(1 << 20, 'x').size(); });
        std::future<std::size_t> thread = std::async(std::launch::async, [] { return std::size_t{7}; });
        const std::string text = read_small_file(tree.device("vendor")).text;
        return capture.words[1].value != 0x11111111            ? 1
               : thread.get() != 7                             ? 2
               : text != "0x14e4\n"                            ? 3
               : ::write(ends[1], "y", 1) != 1                 ? 4
               : System().monotonic_ns() == 0                  ? 5
               : ::isatty(STDIN_FILENO) != 1 && errno == EPERM ? 6
                                                               : 0;
    });
    CHECK(failed == 0);
}

TEST_CASE("no capability is left, and none can be gained") {
    const int answer = in_child([] {
        const Confinement confinement = confine();
        const bool none = status_line("CapEff") == "0000000000000000" &&
                          status_line("CapPrm") == "0000000000000000" &&
                          status_line("CapInh") == "0000000000000000";
        return (none ? 0 : 1) | (status_line("NoNewPrivs") == "1" ? 0 : 2) |
               (confinement.no_new_privileges && confinement.capabilities_dropped ? 0 : 4) |
               (status_line("Seccomp") == (confinement.filter ? "2" : "0") ? 0 : 8);
    });
    CHECK(answer == 0);
    if (::geteuid() == 0) {
        CHECK(in_child([] {
                  static_cast<void>(confine());
                  return status_line("CapBnd") == "0000000000000000" ? 0 : 1;
              }) == 0);
        CHECK(in_child([] { // bit 2: CAP_DAC_READ_SEARCH, linux/capability.h
                  static_cast<void>(confine({.reading_of_any_file = true}));
                  return status_line("CapEff") == "0000000000000004" ? 0 : 1;
              }) == 0);
        CHECK(in_child([] { // bit 21: CAP_SYS_ADMIN
                  static_cast<void>(confine({.stores = true}));
                  return status_line("CapEff") == "0000000000200000" ? 0 : 1;
              }) == 0);
    }
}

TEST_CASE("a second time changes nothing, and is told truthfully") {
    CHECK(in_child([] {
              static_cast<void>(confine());
              const Confinement again = confine();
              const bool sanitized = again.why_not.find("sanitizers") != std::string::npos;
              return again.filter == again.why_not.empty() || sanitized ? 0 : 1;
          }) == 0);
}

TEST_CASE("a trial tells what the kernel says") {
    const ConfinementTrial trial = try_confinement();
    CHECK(trial.no_new_privileges == "1");
    CHECK(trial.capabilities == "0000000000000000");
    CHECK(trial.seccomp == (trial.said.filter ? "2" : "0"));
    CHECK(status_line("NoNewPrivs") == "0"); // of this process nothing was changed
}
