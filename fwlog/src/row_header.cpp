#include "row_header.h"

#include <algorithm>
#include <array>

#include "calendar.h"
#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

std::string_view taken(std::string_view before, std::string_view after) {
    return before.substr(0, before.size() - after.size());
}

bool is_facility(std::string_view word) {
    constexpr std::array<std::string_view, 13> facilities{"kern",     "user", "mail", "daemon", "auth",
                                                          "syslog",   "lpr",  "news", "uucp",   "cron",
                                                          "authpriv", "ftp",  "ntp"};
    return word.starts_with("local") ||
           std::find(facilities.begin(), facilities.end(), word) != facilities.end();
}

// "kern.err: " or, of dmesg -x, "kern  :err   : ".
void take_level_words(std::string_view& text, RowHeader& out) {
    const std::size_t end = std::min(text.find_first_of(". :"), std::size_t{9});
    if (end >= text.size() || !is_facility(text.substr(0, end))) {
        return;
    }
    std::string_view rest = text.substr(end);
    skip_blanks(rest);
    if (!take(rest, ".") && !take(rest, ":")) {
        return;
    }
    const std::size_t word_end = rest.find_first_of(" :");
    if (word_end == std::string_view::npos) {
        return;
    }
    const auto level = parse_severity(rest.substr(0, word_end));
    rest.remove_prefix(word_end);
    skip_blanks(rest);
    if (level && take(rest, ":")) {
        skip_blanks(rest);
        out.level = *level;
        text = rest;
    }
}

// "<3>": facility * 8 + level.
void take_priority(std::string_view& text, RowHeader& out) {
    std::string_view rest = text.substr(1);
    const auto number = take_decimal(rest);
    if (number && *number < 1024 && take(rest, ">")) {
        out.level = severity_of_level(static_cast<unsigned>(*number % 8));
        text = rest;
    }
}

// "kernel: " or "systemd-udevd[1226]: ".
void take_program(std::string_view& text, RowHeader& out) {
    const std::size_t end = text.find_first_of(" :");
    if (end == std::string_view::npos || end == 0 || text[end] != ':' ||
        (end + 1 < text.size() && text[end + 1] != ' ')) {
        return;
    }
    out.program = text.substr(0, end);
    text.remove_prefix(end + 1);
    static_cast<void>(take(text, " "));
}

// ESXi: " Wa(180) vmkwarning: cpu12:2097)".
bool take_esxi(std::string_view& text, RowHeader& out) {
    if (text.size() < 6 || text[2] != '(') {
        return false;
    }
    const auto level = parse_severity(text.substr(0, 2));
    const std::size_t close = text.find(") ");
    if (!level || close == std::string_view::npos || close > 8) {
        return false;
    }
    out.level = *level;
    text.remove_prefix(close + 2);
    take_program(text, out);
    return true;
}

void take_host(std::string_view& text) {
    const std::size_t end = text.find(' ');
    if (end != std::string_view::npos) {
        text.remove_prefix(end + 1);
    }
}

// The stamp of the receiver, then who spoke. A kernel stamp behind it counts for more.
void take_speaker(std::string_view& text, RowHeader& out, const Stamp& stamp, std::string_view written,
                  Clock clock) {
    out.time_ns = nanoseconds(stamp);
    out.clock = out.time_ns ? clock : Clock::none;
    out.time_text = written;
    if (take_esxi(text, out)) {
        return;
    }
    take_host(text);
    take_program(text, out);
    if (!text.empty() && text[0] == '<') {
        take_priority(text, out);
    }
    RowHeader inner;
    if (!text.empty() && text[0] == '[' && take_kernel_stamp(text, inner)) {
        out.received = written;
        out.time_ns = inner.time_ns;
        out.clock = inner.clock;
        out.time_text = inner.time_text;
    }
}

bool take_syslog(std::string_view& text, RowHeader& out) {
    const std::string_view before = text;
    Stamp stamp;
    if (!take_month_day(text, stamp) || !take(text, " ") || !take_clock_time(text, stamp) || text.empty() ||
        text[0] != ' ') {
        text = before;
        return false;
    }
    const std::string_view written = taken(before, text);
    text.remove_prefix(1);
    take_speaker(text, out, stamp, written, Clock::wall_no_year);
    return true;
}

bool take_iso_stamp(std::string_view& text, RowHeader& out) {
    const std::string_view before = text;
    Stamp stamp;
    static_cast<void>(take_weekday(text)); // journalctl -o short-full
    const std::string_view date = text;
    if (!take_iso(text, stamp) || text.empty() || text[0] != ' ') {
        text = before;
        return false;
    }
    const std::string_view written = taken(before, text);
    text.remove_prefix(1);
    if (date[10] == ' ' && text.size() > 4 &&
        std::all_of(text.begin(), text.begin() + 3, [](char c) { return c >= 'A' && c <= 'Z'; })) {
        take_host(text); // the zone's name
    }
    if (date[19] == ',') { // dmesg --time-format iso: the message follows
        out.time_ns = nanoseconds(stamp);
        out.clock = Clock::wall;
        out.time_text = written;
        return true;
    }
    take_speaker(text, out, stamp, written, Clock::wall);
    return true;
}

} // namespace

bool parse_row_header(std::string_view row, RowHeader& out) {
    if (row.empty()) {
        return false;
    }
    std::string_view text = row;
    if (text[0] == '<') {
        take_priority(text, out);
    } else if (text[0] >= 'a' && text[0] <= 'z') {
        take_level_words(text, out);
    }
    const bool prefixed = text.size() != row.size();
    if (!text.empty() && text[0] == '[' && take_kernel_stamp(text, out)) {
        // journalctl -o short-monotonic names host and program; dmesg goes on with the message.
        std::string_view rest = text;
        take_host(rest);
        if (rest.starts_with("kernel: ")) {
            take_program(rest, out);
            text = rest;
        }
        out.message = text;
        return true;
    }
    const bool stamped = take_syslog(text, out) || take_iso_stamp(text, out);
    if (!stamped && text.starts_with("kernel: ")) {
        take_program(text, out);
        out.message = text;
        return true;
    }
    out.message = text;
    return stamped || prefixed;
}

} // namespace barscope::fwlog
