// Which system calls are left after confine(): run while building, prints the filter as the kernel takes it.
// libseccomp takes some ten milliseconds to work it out, which is more than reading a register takes.
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>

namespace {

// Reading, looking, waiting, writing to what is open, memory, threads. Calls that an architecture does not
// have are left out by libseccomp.
constexpr std::array allowed{
    // files that are open
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64),
    SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(fcntl), SCMP_SYS(dup),
    SCMP_SYS(fadvise64), SCMP_SYS(getdents64), SCMP_SYS(pipe2),
    // what files are
    SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs),
    SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
    // memory
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    // time and signals
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(signalfd4),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall), SCMP_SYS(tgkill),
    // threads, and the end
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // who and where we are
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
    SCMP_SYS(getegid), SCMP_SYS(uname), SCMP_SYS(getrandom), SCMP_SYS(sysinfo)};

// Flags of open that make, empty or write a file. O_TMPFILE's own bit is among them.
constexpr scmp_datum_t write_flags = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
constexpr scmp_datum_t executable = PROT_EXEC;

class Filter {
  public:
    Filter() : context_(::seccomp_init(SCMP_ACT_ERRNO(EPERM)), ::seccomp_release) {}

    template <typename... Comparison>
    void allow(int call, Comparison... comparison) {
        add(SCMP_ACT_ALLOW, call, comparison...);
    }
    void refuse(int call, int error) { add(SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call); }
    // Into an open file; 0, or an errno.
    int write(int fd) {
        if (context_ == nullptr) {
            return ENOMEM;
        }
        return error_ != 0 ? error_ : -::seccomp_export_bpf(context_.get(), fd);
    }

  private:
    template <typename... Comparison>
    void add(std::uint32_t action, int call, Comparison... comparison) {
        if (context_ != nullptr && error_ == 0) {
            const std::array<scmp_arg_cmp, sizeof...(comparison)> all{comparison...};
            error_ = -::seccomp_rule_add_array(context_.get(), action, call, all.size(), all.data());
        }
    }

    std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
    int error_ = 0;
};

scmp_arg_cmp none_of(unsigned argument, scmp_datum_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, 0};
}

scmp_arg_cmp all_of(unsigned argument, scmp_datum_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}

scmp_arg_cmp equal(unsigned argument, scmp_datum_t value) {
    return {argument, SCMP_CMP_EQ, value, 0};
}

} // namespace

// make_filter reads|stores FILE
int main(int argc, char** argv) {
    if (argc != 3) {
        return 2;
    }
    Filter filter;
    for (const int call : allowed) {
        filter.allow(call);
    }
    filter.allow(SCMP_SYS(open), none_of(1, write_flags));
    filter.allow(SCMP_SYS(openat), none_of(2, write_flags));
    if (std::string_view(argv[1]) == "stores") { // to a device's file that is open for writing; the audit log
        filter.allow(SCMP_SYS(mmap), none_of(2, executable));
        filter.allow(SCMP_SYS(flock));
    } else { // nothing writable that is shared with a file or a device
        filter.allow(SCMP_SYS(mmap), none_of(2, executable | PROT_WRITE));
        filter.allow(SCMP_SYS(mmap), none_of(2, executable), none_of(3, MAP_SHARED));
    }
    filter.allow(SCMP_SYS(mprotect), none_of(2, executable));
    filter.allow(SCMP_SYS(clone), all_of(0, CLONE_THREAD)); // a thread, no process
    filter.refuse(SCMP_SYS(clone3), ENOSYS); // its flags lie in memory; the C library takes clone
    filter.allow(SCMP_SYS(ioctl), equal(1, TCGETS));
    filter.allow(SCMP_SYS(ioctl), equal(1, TIOCGWINSZ));
    filter.allow(SCMP_SYS(prlimit64), equal(2, 0)); // asks, changes nothing
    std::FILE* raw = std::tmpfile();
    std::FILE* out = std::fopen(argv[2], "w");
    if (raw == nullptr || out == nullptr || filter.write(::fileno(raw)) != 0) {
        return 1;
    }
    std::rewind(raw);
    sock_filter instruction{};
    while (std::fread(&instruction, sizeof instruction, 1, raw) == 1) {
        std::fprintf(out, "{%u, %u, %u, %uU},\n", instruction.code, instruction.jt, instruction.jf,
                     instruction.k);
    }
    return std::fclose(out) == 0 ? 0 : 1;
}
