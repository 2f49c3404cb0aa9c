// Dates as logs write them, independent of locale and time zone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace barscope::fwlog {

struct Stamp {
    std::int64_t year = 1972; // a leap year, where the text names none
    unsigned month = 1, day = 1;
    std::uint64_t of_day_ns = 0;
    std::optional<int> zone_minutes; // east of UTC, where the text says so
};

// Since 1970-01-01, of the stamp as written (its zone taken off where it has one); nothing for impossible
// dates.
std::optional<std::uint64_t> nanoseconds(const Stamp& stamp);

// Each takes what it understood off the front.
bool take_month_day(std::string_view& text, Stamp& out);  // "Aug 15", "Aug  5"
bool take_clock_time(std::string_view& text, Stamp& out); // "12:21:39", "12:21:39.123456" or ","
bool take_iso(std::string_view& text, Stamp& out); // "2025-07-07T12:37:37,123456+02:00", also with a blank
bool take_weekday(std::string_view& text);         // "Mon "

} // namespace barscope::fwlog
