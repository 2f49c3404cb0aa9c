#include <render/size_text.h>

#include <array>
#include <string_view>

#include <render/digits.h>

namespace barscope::tool {

void append_size(std::string& out, std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 7> units{" bytes", " KiB", " MiB", " GiB",
                                                           " TiB",   " PiB", " EiB"};
    std::size_t unit = 0;
    while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    append_decimal(out, bytes);
    out += bytes == 1 && unit == 0 ? " byte" : units[unit];
}

void append_duration(std::string& out, std::uint64_t nanoseconds) {
    static constexpr std::array<std::string_view, 4> units{" ns", " us", " ms", " s"};
    std::size_t unit = 0;
    std::uint64_t rest = 0;
    while (nanoseconds >= 1000 && unit + 1 < units.size()) {
        rest = nanoseconds % 1000;
        nanoseconds /= 1000;
        ++unit;
    }
    append_decimal(out, nanoseconds);
    if (unit != 0 && nanoseconds < 10) {
        out += '.';
        append_decimal(out, rest / 100);
    }
    out += units[unit];
}

} // namespace barscope::tool
