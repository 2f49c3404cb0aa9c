// Writes sample reports in all four forms: make_reports FOLDER [REGISTERS]. The large one has so many
// registers.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <render/report_html.h>
#include <render/report_json.h>
#include <render/report_markdown.h>
#include <render/report_text.h>

#include "samples.h"

using namespace barscope::tool;

namespace {

template <typename Render>
bool write_file(const std::string& path, const Render& render) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        std::perror(path.c_str());
        return false;
    }
    Output output(fd);
    render(output);
    const bool written = output.finish().has_value();
    return ::close(fd) == 0 && written;
}

bool write_all(const std::string& stem, const Report& report) {
    const Style plain(false);
    return write_file(stem + ".html", [&](Output& out) { render_report_html(out, report); }) &&
           write_file(stem + ".json", [&](Output& out) { render_report_json(out, report); }) &&
           write_file(stem + ".md", [&](Output& out) { render_report_markdown(out, report, false); }) &&
           write_file(stem + ".txt", [&](Output& out) { render_report_text(out, plain, report, false); });
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: make_reports FOLDER [REGISTERS]\n", stderr);
        return 2;
    }
    const std::string folder = std::string(argv[1]) + "/";
    const std::size_t registers = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100'000;
    const bool written = write_all(folder + "difference", samples::difference()) &&
                         write_all(folder + "snapshot", samples::snapshot()) &&
                         write_all(folder + "hostile", samples::hostile(samples::hostile_text())) &&
                         write_all(folder + "large", samples::large(registers));
    return written ? 0 : 1;
}
