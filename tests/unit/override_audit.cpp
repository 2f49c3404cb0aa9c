// The audit log: what is in it after each way in which writing it can go wrong.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>

#include <audit/audit_history.h>
#include <commands/lab_override.h>
#include <override/audit_log.h>

using namespace barscope;
using namespace barscope::tool;

namespace {

safety::LabOverride proof() {
    return *LabOverrideParser::from_options(true, "a test").value();
}

class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "barscope-audit-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

class FailingCalls : public FileCalls {
  public:
    int fsync_error = 0, write_error = 0, lock_error = 0;
    std::size_t write_at_most = SIZE_MAX;
    long type = 0;
    std::vector<std::string> calls;

    int fsync(int fd) override {
        calls.emplace_back("fsync");
        if (fsync_error != 0 && calls.size() > 1) { // not that of the folder
            errno = fsync_error;
            return -1;
        }
        return FileCalls::fsync(fd);
    }
    ssize_t write(int fd, const void* data, std::size_t size) override {
        calls.emplace_back("write");
        if (write_error != 0 && size <= write_at_most) {
            errno = write_error;
            return -1;
        }
        return FileCalls::write(fd, data, std::min(size, write_at_most));
    }
    int lock(int fd) override {
        calls.emplace_back("lock");
        errno = lock_error;
        return lock_error != 0 ? -1 : FileCalls::lock(fd);
    }
    int unlock(int fd) override {
        calls.emplace_back("unlock");
        return FileCalls::unlock(fd);
    }
    long file_system(int fd) override { return type != 0 ? type : FileCalls::file_system(fd); }
};

AuditEntry entry() {
    AuditEntry entry;
    entry.user = "root";
    entry.address = "0000:01:00.0";
    entry.target = "CTRL";
    entry.reg = "CTRL";
    entry.place = "bar0";
    entry.offset = 0x10;
    entry.new_value = 0xfedcba9876543210;
    entry.width = 64;
    entry.reason = "a \"test\"\nof \\ everything \xff";
    return entry;
}

AuditLog open(const std::string& path, std::shared_ptr<FileCalls> calls = std::make_shared<FileCalls>()) {
    auto log = AuditLog::open(proof(), {path, false}, std::move(calls));
    INFO((log ? std::string() : to_string(log.error())));
    REQUIRE(log);
    return std::move(*log);
}

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

TEST_CASE("an entry comes back as it was written, and takes one line") {
    const Folder folder;
    auto log = open(folder.file("log"));
    AuditEntry written = entry();
    written.undo = {"CTRL", 0x7, "not all of it"};
    REQUIRE(log.intend(written));
    const std::string text = content(folder.file("log"));
    CHECK(lines(text) == 1);
    CHECK(text.find("0xfedcba9876543210") != std::string::npos);
    const auto read = parse_audit_line(text.substr(0, text.size() - 1));
    REQUIRE(read);
    CHECK(read->id == 1);
    CHECK(read->operation == 1);
    CHECK(read->new_value == written.new_value);
    CHECK(read->offset == 0x10);
    CHECK(read->undo.value == 0x7);
    CHECK(read->undo.why == "not all of it");
    CHECK(read->reason == "a \"test\"\nof \\ everything \\xff");
    struct stat status {};
    REQUIRE(::stat(folder.file("log").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);
}

TEST_CASE("the lock is held while a line is written and synced, and no longer") {
    const Folder folder;
    auto calls = std::make_shared<FailingCalls>();
    auto log = open(folder.file("log"), calls);
    calls->calls.clear();
    AuditEntry one = entry();
    REQUIRE(log.intend(one));
    CHECK(calls->calls == std::vector<std::string>{"lock", "write", "fsync", "unlock"});
}

TEST_CASE("a line that is not on disk is an error, and so is one that could not be written or locked") {
    const Folder folder;
    auto calls = std::make_shared<FailingCalls>();
    auto log = open(folder.file("log"), calls);
    AuditEntry one = entry();
    const auto fails = [&](const char* step) {
        const auto noted = log.intend(one);
        REQUIRE_FALSE(noted);
        CHECK(noted.error().code == ErrorCode::output);
        CHECK(exit_status(noted.error().code) == 7);
        CHECK_THAT(noted.error().what, Catch::Contains(step));
    };
    SECTION("fsync") {
        calls->fsync_error = EIO;
        fails("fsync: EIO");
    }
    SECTION("a full disk") {
        calls->write_error = ENOSPC;
        fails("write: ENOSPC");
        CHECK(content(folder.file("log")).empty());
    }
    SECTION("a lock that somebody else keeps") {
        calls->lock_error = EWOULDBLOCK;
        fails("lock");
        CHECK(content(folder.file("log")).empty());
    }
}

TEST_CASE("a disk that fills up within a line leaves a torn one, which is never joined with the next") {
    const Folder folder;
    auto calls = std::make_shared<FailingCalls>();
    auto log = open(folder.file("log"), calls);
    AuditEntry first = entry();
    REQUIRE(log.intend(first));
    class Half : public FileCalls {
      public:
        bool full = true;
        int count = 0;
        ssize_t write(int fd, const void* data, std::size_t size) override {
            if (full && ++count == 2) {
                errno = ENOSPC;
                return -1;
            }
            return FileCalls::write(fd, data, full ? size / 2 : size);
        }
    };
    auto half = std::make_shared<Half>();
    auto later = open(folder.file("log"), half);
    AuditEntry second = entry();
    CHECK_FALSE(later.intend(second));
    half->full = false;
    AuditEntry third = entry();
    REQUIRE(later.intend(third));
    const AuditHistory history = read_history(content(folder.file("log")));
    CHECK(history.accesses.size() == 2);
    CHECK(history.foreign == 1);
    CHECK(history.accesses[1].intent.id == 2);
}

TEST_CASE("a torn line of any length, or garbage, at the end") {
    const Folder folder;
    auto log = open(folder.file("log"));
    AuditEntry one = entry();
    REQUIRE(log.intend(one));
    const std::string whole = content(folder.file("log"));
    for (std::size_t length = 1; length < whole.size(); length += 7) {
        write_file(folder.file("log"), whole + whole.substr(0, length));
        AuditEntry next = entry();
        REQUIRE(open(folder.file("log")).intend(next));
        const AuditHistory history = read_history(content(folder.file("log")));
        CHECK(history.accesses.size() + history.foreign == 3);
        CHECK(history.accesses.back().intent.id == next.id);
        CHECK(next.id >= 2);
    }
    write_file(folder.file("log"), whole + std::string(200'000, 'x') + "\n\n{}\n[1]\nnull\n");
    AuditEntry next = entry();
    REQUIRE(open(folder.file("log")).intend(next));
    CHECK(next.id == 2); // the last good line lies far back
}

TEST_CASE("two processes' lines do not mix, and their ids are distinct") {
    const Folder folder;
    constexpr unsigned each = 40;
    const auto work = [&] {
        auto log = AuditLog::open(proof(), {folder.file("log"), false});
        for (unsigned i = 0; i < each; ++i) {
            AuditEntry one = entry();
            if (!log->intend(one) || !log->conclude(one)) {
                std::abort();
            }
        }
    };
    std::thread other(work);
    work();
    other.join();
    const AuditHistory history = read_history(content(folder.file("log")));
    CHECK(history.accesses.size() == 2 * each);
    CHECK(history.foreign == 0);
    CHECK(history.stray == 0);
    for (std::size_t i = 0; i < history.accesses.size(); ++i) {
        CHECK(history.accesses[i].intent.id == i + 1);
        CHECK(history.accesses[i].outcome);
    }
}

TEST_CASE("the log waits for a lock, but not for ever") {
    const Folder folder;
    auto log = open(folder.file("log"));
    const int other = ::open(folder.file("log").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::flock(other, LOCK_EX) == 0);
    AuditEntry one = entry();
    std::thread later([other] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        ::close(other);
    });
    CHECK(log.intend(one));
    later.join();
}

TEST_CASE("what is no plain file of ours is no audit log") {
    const Folder folder;
    const auto refused = [&](const std::string& path,
                             std::shared_ptr<FileCalls> calls = std::make_shared<FileCalls>()) {
        const auto log = AuditLog::open(proof(), {path, false}, std::move(calls));
        REQUIRE_FALSE(log);
        CHECK(log.error().code == ErrorCode::output);
        CHECK_THAT(log.error().remedy, Catch::Contains("nothing was written"));
        return log.error().what;
    };
    std::filesystem::create_directory(folder.file("folder"));
    refused(folder.file("folder"));
    refused(folder.file("folder") + "/");
    refused(folder.file("missing/log"));
    REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    CHECK_THAT(refused(folder.file("pipe")), Catch::Contains("regular"));
    refused("/dev/null");
    write_file(folder.file("target"), "");
    std::filesystem::create_symlink("target", folder.file("link"));
    CHECK_THAT(refused(folder.file("link")), Catch::Contains("symbolic link"));
    write_file(folder.file("shared"), "");
    std::filesystem::permissions(folder.file("shared"), std::filesystem::perms(0666));
    CHECK_THAT(refused(folder.file("shared")), Catch::Contains("others may write"));
    for (const long type : {long{SYSFS_MAGIC}, long{PROC_SUPER_MAGIC}, long{DEBUGFS_MAGIC}}) {
        auto calls = std::make_shared<FailingCalls>();
        calls->type = type;
        refused(folder.file("other"), calls);
    }
    refused(folder.file("sys/bus/pci/devices/0000:01:00.0/resource0"));
    CHECK(content(folder.file("target")).empty());
}

TEST_CASE("links on the way: the administrator's are followed, those of anybody are not") {
    const Folder folder;
    std::filesystem::create_directories(folder.file("real"));
    std::filesystem::create_directories(folder.file("open"));
    std::filesystem::create_directory_symlink(folder.file("real"), folder.file("link"));
    std::filesystem::create_directory_symlink(folder.file("real"), folder.file("open/link"));
    std::filesystem::permissions(folder.file("open"), std::filesystem::perms(01777));
    CHECK(AuditLog::open(proof(), {folder.file("link/log"), false}));
    const auto planted = AuditLog::open(proof(), {folder.file("open/link/other"), false});
    REQUIRE_FALSE(planted);
    CHECK_FALSE(std::filesystem::exists(folder.file("real/other")));
    CHECK(AuditLog::open(proof(), {folder.file("open/mine"), false}));
}

TEST_CASE("the default place's folders are made for their owner alone") {
    const Folder folder;
    REQUIRE(AuditLog::open(proof(), {folder.file("var/log/barscope/audit.jsonl"), true}));
    struct stat status {};
    REQUIRE(::stat(folder.file("var/log/barscope").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0700);
}

TEST_CASE("what a shell makes of a quoted text is the text") {
    for (const std::string& text :
         {std::string("plain"), std::string(""), std::string("it's"), std::string("a b"),
          std::string("$(rm -rf /) `x` \"y\" \\ !z"), std::string("'"), std::string("~"),
          std::string("new\nline"), std::string("-n")}) {
        const std::string command = "printf '%s' " + shell_quoted(text);
        const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
        std::string out(64, '\0');
        out.resize(::fread(out.data(), 1, out.size(), pipe.get()));
        INFO(command);
        CHECK(out == text);
    }
}

TEST_CASE("an undo is the write back, or a reason") {
    AuditAccess access;
    access.intent = entry();
    access.intent.id = 9;
    access.intent.width = 32;
    access.intent.reason = "it's";
    access.intent.undo = {"CTRL.SPEED", 2, ""};
    access.outcome = access.intent;
    access.outcome->status = "done";
    CHECK(propose_undo(access, "").command ==
          R"(barscope write 0000:01:00.0 CTRL.SPEED=0x2 --lab-override --reason 'undo of 9: it'\''s')");
    access.intent.map_option = "/tmp/my map.json";
    CHECK_THAT(propose_undo(access, "").command, Catch::Contains(" --map '/tmp/my map.json' "));
    // Text from the log never reaches a terminal raw: a reason is told escaped, a name cannot be told
    // otherwise.
    access.intent.reason = "a\x1b[2J\nb";
    CHECK_THAT(propose_undo(access, "").command, Catch::Contains(R"(--reason 'undo of 9: a\x1b[2J\x0ab')"));
    access.intent.map_option = "/tmp/\x1b]0;x.json";
    CHECK(propose_undo(access, "").command.empty());
    CHECK_THAT(propose_undo(access, "").remark, Catch::Contains(R"(/tmp/\x1b]0;x.json)"));
    access.intent.map_option = "/tmp/my map.json";
    access.intent.undo = {"CTRL", std::nullopt, "write-only"};
    CHECK(propose_undo(access, "").command.empty());
    CHECK(propose_undo(access, "").remark == "write-only");
    access.intent.action = AuditAction::read;
    CHECK(propose_undo(access, "").command.empty());
    access.intent.action = AuditAction::write;
    access.intent.undo = {"CTRL", 1, ""};
    access.outcome->status = "not-made";
    CHECK(propose_undo(access, "").command.empty());
    access.outcome.reset();
    CHECK_THAT(propose_undo(access, "").remark, Catch::Contains("not known"));
}
