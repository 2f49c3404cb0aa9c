// Files that change while they are followed.
#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>

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
