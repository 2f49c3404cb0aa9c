// Helper programs and pipes: both may never end.
#include <catch2/catch.hpp>

#include <array>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <device/child.h>
#include <device/files.h>
#include <device/lookup.h>
#include <device/rdma_tool.h>

using namespace barscope;
using namespace barscope::tool;
using std::chrono::milliseconds;

namespace {

milliseconds since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start);
}

} // namespace

TEST_CASE("A child's output, error output and status come back") {
    const auto output = run_child("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"});
    REQUIRE(output);
    CHECK(output->out == "out\n");
    CHECK(output->err == "err\n");
    CHECK(output->status == 3);
}

TEST_CASE("A child sees no variable of the user's and nothing on its standard input") {
    // NOLINTBEGIN(concurrency-mt-unsafe): one thread
    ::setenv("BARSCOPE_TEST", "seen", 1);
    ::setenv("LC_ALL", "de_DE.UTF-8", 1); // field case 61
    const auto output = run_child("/bin/sh", {"-c", "cat; env"});
    ::unsetenv("BARSCOPE_TEST");
    ::unsetenv("LC_ALL");
    // NOLINTEND(concurrency-mt-unsafe)
    REQUIRE(output);
    CHECK(output->out.find("seen") == std::string::npos);
    CHECK(output->out.find("LC_ALL=C") != std::string::npos);
    CHECK(output->out.find("HOME") == std::string::npos);
}

TEST_CASE("A child that hangs is killed in time, also where it closed its output") {
    // The last one is deaf to signals and has a child that keeps the pipe open (field case 34).
    for (const char* script :
         {"exec sleep 100", "exec sleep 100 >&- 2>&-", "trap '' TERM; sleep 100 & wait"}) {
        const auto start = std::chrono::steady_clock::now();
        const auto output = run_child("/bin/sh", {"-c", script}, {.time = milliseconds(200)});
        REQUIRE_FALSE(output);
        CHECK(output.error().cause == "helper-timeout");
        CHECK(since(start) < milliseconds(20'000));
    }
}

TEST_CASE("The children of a child that is killed do not outlive it") {
    std::string name = (std::filesystem::temp_directory_path() / "barscope-child-XXXXXX").string();
    const std::string folder = ::mkdtemp(name.data());
    const std::string script = "(sleep 0.6; touch " + folder + "/outlived) & exec sleep 100";
    CHECK_FALSE(run_child("/bin/sh", {"-c", script}, {.time = milliseconds(200)}));
    ::usleep(1'000'000);
    CHECK_FALSE(exists(folder + "/outlived"));
    std::filesystem::remove_all(folder);
}

TEST_CASE("A child is not deaf to a closed pipe because this program is") {
    ::signal(SIGPIPE, SIG_IGN);
    const auto output = run_child("/bin/sh", {"-c", "kill -PIPE $$; echo deaf"});
    ::signal(SIGPIPE, SIG_DFL);
    REQUIRE_FALSE(output);
    CHECK(output.error().cause == "helper-failed");
}

TEST_CASE("A program of the system is found by its name, in the system's folders only") {
    CHECK(find_program("sh").value_or("").ends_with("/sh"));
    CHECK_FALSE(find_program("no-such-program-of-barscope"));
    CHECK_FALSE(find_program("../../tmp"));
}

TEST_CASE("A child that prints without end is stopped") {
    const auto output = run_child("/bin/sh", {"-c", "exec cat /dev/zero"}, {.output = 1 << 20});
    REQUIRE_FALSE(output);
    CHECK(output.error().cause == "helper-output");
}

TEST_CASE("A program that is not there, and one that a signal ends") {
    const auto absent = run_child("/nonexistent/program", {});
    REQUIRE_FALSE(absent);
    CHECK(absent.error().code == ErrorCode::absent);
    const auto killed = run_child("/bin/sh", {"-c", "kill -9 $$"});
    REQUIRE_FALSE(killed);
    CHECK(killed.error().cause == "helper-failed");
}

TEST_CASE("rdma is asked on this machine only, and its refusal is told with its own words") {
    const auto elsewhere = run_rdma_show(system_root("/tmp"), "qp", "bnxt_re9", false);
    REQUIRE_FALSE(elsewhere);
    CHECK(elsewhere.error().cause == "not-this-machine");
    // No machine has an RDMA device of this name.
    const auto here = run_rdma_show(system_root(""), "cq", "barscope-no-such", false);
    REQUIRE_FALSE(here);
    CHECK(here.error().code == ErrorCode::absent);
    CHECK((here.error().cause == "rdma-failed" || here.error().cause == "no-rdma-tool"));
}
