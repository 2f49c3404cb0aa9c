#include <render/progress.h>

#include <string>

#include <unistd.h>

#include <safety/error.h>

namespace barscope::tool {

namespace {

constexpr auto patience = std::chrono::milliseconds(500);
constexpr std::string_view erase_line = "\r\x1b[K";

// Progress that cannot be shown is no failure.
void put(std::string_view text) {
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

} // namespace

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1), begin_(std::chrono::steady_clock::now()) {}

void Progress::show(std::string_view what) {
    if (terminal_ && std::chrono::steady_clock::now() - begin_ >= patience) {
        put(std::string(erase_line) + "barscope: " + escaped(what) + " ...");
        shown_ = true;
    }
}

void Progress::clear() {
    if (shown_) {
        put(erase_line);
        shown_ = false;
    }
}

} // namespace barscope::tool
