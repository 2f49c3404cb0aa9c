// The kernel's own stamp, in the forms in which dmesg prints it.
#include <algorithm>

#include "calendar.h"
#include "row_header.h"
#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

// "Mon Jul  7 12:37:37 2025" within the brackets of dmesg -T.
bool parse_human(std::string_view inside, RowHeader& out) {
    const std::string_view written = inside;
    Stamp stamp;
    if (!take_weekday(inside) || !take_month_day(inside, stamp) || !take(inside, " ") ||
        !take_clock_time(inside, stamp) || !take(inside, " ")) {
        return false;
    }
    const auto year = take_decimal(inside);
    if (!year) {
        return false;
    }
    stamp.year = static_cast<std::int64_t>(*year);
    out.time_ns = nanoseconds(stamp);
    out.clock = out.time_ns ? Clock::wall : Clock::none;
    out.time_text = written.substr(0, written.size() - inside.size());
    return out.time_ns.has_value();
}

// The caller that CONFIG_PRINTK_CALLER adds: "[    T1] ", "[    C5] ".
void take_caller(std::string_view& text) {
    if (text.empty() || text[0] != '[') {
        return;
    }
    std::string_view rest = text.substr(1);
    skip_blanks(rest);
    if (rest.size() < 3 || (rest[0] != 'T' && rest[0] != 'C')) {
        return;
    }
    rest.remove_prefix(1);
    if (take_decimal(rest) && take(rest, "]")) {
        text = rest;
    }
}

} // namespace

std::optional<std::uint64_t> take_stamp(std::string_view& text, std::string_view& written) {
    std::string_view rest = text;
    skip_blanks(rest);
    const char* begin = rest.data();
    const auto seconds = take_decimal(rest);
    if (!seconds || *seconds > 9'000'000'000 || rest.size() < 3 || rest[0] != '.') {
        return std::nullopt;
    }
    std::uint64_t nanos = 0;
    std::uint64_t unit = 1'000'000'000;
    std::size_t used = 1;
    while (used < rest.size() && used < 10 && is_digit(rest[used])) {
        unit /= 10;
        nanos = nanos * 10 + static_cast<std::uint64_t>(rest[used] - '0');
        ++used;
    }
    rest.remove_prefix(used);
    const auto length = static_cast<std::size_t>(rest.data() - begin);
    if (rest.starts_with(" <")) {
        static_cast<void>(take_until(rest, '>'));
    }
    if (used == 1 || !take(rest, "]")) {
        return std::nullopt;
    }
    written = {begin, length};
    text = rest;
    return *seconds * 1'000'000'000 + nanos * unit;
}

bool take_seconds(std::string_view& text, RowHeader& out) {
    const auto ns = take_stamp(text, out.time_text);
    if (ns) {
        out.time_ns = ns;
        out.clock = Clock::kernel_monotonic;
    }
    return ns.has_value();
}

bool take_kernel_stamp(std::string_view& text, RowHeader& out) {
    std::string_view rest = text.substr(1);
    if (!take_seconds(rest, out)) {
        const std::size_t close = text.substr(0, 64).find(']');
        if (close == std::string_view::npos || !parse_human(text.substr(1, close - 1), out)) {
            return false;
        }
        rest = text.substr(close + 1);
    }
    take_caller(rest);
    static_cast<void>(take(rest, " "));
    text = rest;
    return true;
}

} // namespace barscope::fwlog
