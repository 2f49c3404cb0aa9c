// Helpers under a time limit, and files that change while they are followed.
#include <catch2/catch.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <logs/child.h>
#include <logs/log_streams.h>

using namespace barscope;
using namespace barscope::tool;

namespace {

struct Folder {
    std::string path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "barscope-logs-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string file() const { return path + "/log"; }
    void append(const std::string& text) const { std::ofstream(file(), std::ios::app) << text; }
};

} // namespace

TEST_CASE("a helper that hangs is told, not waited for (field case 34)") {
    const auto begin = std::chrono::steady_clock::now();
    const auto hung = run_child({"sh", "-c", "sleep 3600"}, 300);
    REQUIRE_FALSE(hung);
    CHECK(hung.error().cause == "helper-timeout");
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    const auto deaf = run_child({"sh", "-c", "trap '' TERM; sleep 3600 & wait"}, 300);
    CHECK_FALSE(deaf);
}

TEST_CASE("a helper's output, status and language (field case 61)") {
    ::setenv("LC_ALL", "de_DE.UTF-8", 1);
    const auto out = run_child({"sh", "-c", "echo $LC_ALL; echo wrong >&2; exit 3"}, 60'000);
    ::unsetenv("LC_ALL");
    REQUIRE(out);
    CHECK(out->out == "C\n");
    CHECK(out->err == "wrong\n");
    CHECK(out->status == 3);
    const auto missing = run_child({"no-such-program-of-barscope"}, 60'000);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().cause == "no-helper");
}

TEST_CASE("following a file through growth, rotation, truncation and absence") {
    const Folder folder;
    folder.append("one\ntorn");
    std::vector<std::string> notices;
    std::vector<std::function<void()>> events{
        [&] { folder.append(" end\n"); },
        [&] { // rotated, with a row that was not finished
            folder.append("half");
        },
        [&] {
            std::filesystem::rename(folder.file(), folder.file() + ".1");
            folder.append("two\n");
        },
        [&] { std::filesystem::remove(folder.file()); },
        [&] { folder.append("three and more\n"); },
        [&] { // truncated in place
            std::ofstream(folder.file(), std::ios::trunc) << "four\n";
        },
    };
    std::size_t next = 0;
    FollowStream stream(folder.file(), false,
                        {.idle = [] {},
                         .notice = [&](const std::string& text) { notices.push_back(text); },
                         .wait =
                             [&](int) {
                                 if (next < events.size()) {
                                     events[next++]();
                                     return false;
                                 }
                                 return true;
                             }});
    std::string all;
    std::string piece(4096, '\0');
    while (true) {
        const auto got = stream.read(piece);
        REQUIRE(got);
        if (*got == 0) {
            break;
        }
        all.append(piece, 0, *got);
    }
    CHECK(all == "one\ntorn end\nhalf\ntwo\nthree and more\nfour\n");
    REQUIRE(notices.size() == 4);
    CHECK(notices[0].find("replaced") != std::string::npos);
    CHECK(notices[1].find("gone") != std::string::npos);
    CHECK(notices[2].find("back") != std::string::npos);
    CHECK(notices[3].find("truncated") != std::string::npos);
}
