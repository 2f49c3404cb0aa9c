#include "calendar.h"

#include <array>
#include <chrono>

#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;

std::optional<unsigned> two_digits(std::string_view& text) {
    if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) {
        return std::nullopt;
    }
    const auto value = static_cast<unsigned>((text[0] - '0') * 10 + (text[1] - '0'));
    text.remove_prefix(2);
    return value;
}

// Digits of a fraction of a second as nanoseconds; digits beyond the ninth are dropped.
std::uint64_t take_fraction(std::string_view& text) {
    std::uint64_t value = 0;
    std::uint64_t unit = second_ns;
    while (!text.empty() && is_digit(text[0])) {
        unit /= 10;
        value += static_cast<std::uint64_t>(text[0] - '0') * unit;
        text.remove_prefix(1);
    }
    return value;
}

void take_zone(std::string_view& text, Stamp& out) {
    if (take(text, "Z")) {
        out.zone_minutes = 0;
        return;
    }
    if (text.empty() || (text[0] != '+' && text[0] != '-')) {
        return;
    }
    std::string_view rest = text.substr(1);
    const auto hours = two_digits(rest);
    static_cast<void>(take(rest, ":"));
    const auto minutes = hours ? two_digits(rest) : std::nullopt;
    if (hours && minutes) {
        const int offset = static_cast<int>(*hours * 60 + *minutes);
        out.zone_minutes = text[0] == '-' ? -offset : offset;
        text = rest;
    }
}

} // namespace

std::optional<std::uint64_t> nanoseconds(const Stamp& stamp) {
    using namespace std::chrono;
    if (stamp.year < 1970 || stamp.year > 2500) {
        return std::nullopt;
    }
    const year_month_day date{year(static_cast<int>(stamp.year)), month(stamp.month), day(stamp.day)};
    if (!date.ok()) {
        return std::nullopt;
    }
    const std::int64_t days = sys_days(date).time_since_epoch().count();
    const std::int64_t zone = std::int64_t{stamp.zone_minutes.value_or(0)} * 60;
    const std::int64_t seconds = days * 86400 - zone;
    if (seconds < 0) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(seconds) * second_ns + stamp.of_day_ns;
}

bool take_weekday(std::string_view& text) {
    constexpr std::array<std::string_view, 7> days{"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "};
    for (const std::string_view weekday : days) {
        if (take(text, weekday)) {
            return true;
        }
    }
    return false;
}

bool take_month_day(std::string_view& text, Stamp& out) {
    constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (text.size() < 6 || text[3] != ' ') {
        return false;
    }
    const std::size_t at = months.find(text.substr(0, 3));
    if (at == std::string_view::npos || at % 3 != 0) {
        return false;
    }
    std::string_view rest = text.substr(4);
    skip_blanks(rest);
    const auto number = take_decimal(rest);
    if (!number || *number < 1 || *number > 31) {
        return false;
    }
    out.month = static_cast<unsigned>(at / 3 + 1);
    out.day = static_cast<unsigned>(*number);
    text = rest;
    return true;
}

bool take_clock_time(std::string_view& text, Stamp& out) {
    std::string_view rest = text;
    const auto hours = two_digits(rest);
    const bool first = hours && take(rest, ":");
    const auto minutes = first ? two_digits(rest) : std::nullopt;
    const bool second = minutes && take(rest, ":");
    const auto seconds = second ? two_digits(rest) : std::nullopt;
    if (!seconds || *hours > 23 || *minutes > 59 || *seconds > 60) {
        return false;
    }
    out.of_day_ns = std::uint64_t{*hours * 3600 + *minutes * 60 + *seconds} * second_ns;
    if (rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && is_digit(rest[1])) {
        rest.remove_prefix(1);
        out.of_day_ns += take_fraction(rest);
    }
    text = rest;
    return true;
}

bool take_iso(std::string_view& text, Stamp& out) {
    if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ')) {
        return false;
    }
    std::string_view rest = text;
    const auto year = take_decimal(rest);
    if (!year || !take(rest, "-")) {
        return false;
    }
    const auto month = two_digits(rest);
    const auto day = month && take(rest, "-") ? two_digits(rest) : std::nullopt;
    if (!day) {
        return false;
    }
    out.year = static_cast<std::int64_t>(*year);
    out.month = *month;
    out.day = *day;
    rest.remove_prefix(1);
    if (!take_clock_time(rest, out)) {
        return false;
    }
    take_zone(rest, out);
    text = rest;
    return true;
}

} // namespace barscope::fwlog
