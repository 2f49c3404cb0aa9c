#include <evidence/elapsed.h>

#include <chrono>

#include <device/number.h>
#include <evidence/head.h>

namespace barscope::tool {

namespace {

constexpr std::int64_t ns_per_second = 1'000'000'000;

// Exactly `count` decimal digits from the front.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
    const auto value = text.size() < count ? std::nullopt : parse_digits(text.substr(0, count), 10);
    text.remove_prefix(std::min(count, text.size()));
    return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

bool take(std::string_view& text, std::string_view characters) {
    if (text.empty() || characters.find(text.front()) == std::string_view::npos) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

// ".5": what follows the seconds, in nanoseconds.
std::int64_t take_fraction(std::string_view& text) {
    std::int64_t ns = 0;
    if (!take(text, ".")) {
        return ns;
    }
    for (std::int64_t unit = ns_per_second / 10; !text.empty() && text[0] >= '0' && text[0] <= '9';
         unit /= 10) {
        ns += unit * (text[0] - '0');
        text.remove_prefix(1);
    }
    return ns;
}

// "Z", "+01:00": seconds to take off.
std::optional<int> take_zone(std::string_view text) {
    if (text == "Z" || text == "z") {
        return 0;
    }
    const bool minus = text.starts_with('-');
    if (!take(text, "+-")) {
        return std::nullopt;
    }
    const auto hours = take_digits(text, 2);
    const auto minutes = hours && take(text, ":") ? take_digits(text, 2) : std::nullopt;
    if (!minutes || !text.empty()) {
        return std::nullopt;
    }
    const int seconds = (*hours * 60 + *minutes) * 60;
    return minus ? -seconds : seconds;
}

std::optional<std::int64_t> take_date(std::string_view& text) {
    const auto year = take_digits(text, 4);
    const auto month = year && take(text, "-") ? take_digits(text, 2) : std::nullopt;
    const auto day = month && take(text, "-") ? take_digits(text, 2) : std::nullopt;
    if (!day) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date(std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day)));
    // Outside of these years the nanoseconds do not fit.
    if (!date.ok() || *year < 1970 || *year > 2200) {
        return std::nullopt;
    }
    return std::chrono::sys_days(date).time_since_epoch().count() * std::int64_t{86400};
}

std::optional<std::int64_t> take_clock(std::string_view& text) {
    const auto hour = take_digits(text, 2);
    const auto minute = hour && take(text, ":") ? take_digits(text, 2) : std::nullopt;
    const auto second = minute && take(text, ":") ? take_digits(text, 2) : std::nullopt;
    if (!second || *hour > 23 || *minute > 59 || *second > 60) {
        return std::nullopt;
    }
    return (*hour * 60 + *minute) * 60 + *second;
}

Elapsed made_of(std::int64_t from_ns, std::int64_t to_ns, bool wall) {
    Elapsed out;
    out.wall = wall;
    out.backwards = to_ns < from_ns;
    if (to_ns > from_ns) {
        out.seconds = static_cast<double>(to_ns - from_ns) / static_cast<double>(ns_per_second);
    }
    return out;
}

std::optional<std::int64_t> wall_time(const Evidence& evidence) {
    if (!evidence.passes.empty() && evidence.passes.back().started_ns != 0) {
        return static_cast<std::int64_t>(evidence.passes.back().started_ns);
    }
    return parse_rfc3339(text_in_head(evidence.snapshot, "created.time"));
}

std::uint64_t monotonic_time(const Evidence& evidence) {
    if (!evidence.passes.empty() && evidence.passes.back().monotonic_ns != 0) {
        return evidence.passes.back().monotonic_ns;
    }
    return parse_number(text_in_head(evidence.snapshot, "created.monotonicNs")).value_or(0);
}

Elapsed by_clocks(const Evidence& before, const Evidence& after, std::uint64_t from, std::uint64_t to) {
    if (boots_of(before.snapshot, after.snapshot) == Boots::same && from != 0 && to != 0) {
        return made_of(static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), false);
    }
    const auto first = wall_time(before);
    const auto second = wall_time(after);
    return first && second ? made_of(*first, *second, true) : Elapsed{};
}

} // namespace

std::optional<std::int64_t> parse_rfc3339(std::string_view text) {
    const auto date = take_date(text);
    const auto clock = date && take(text, "Tt ") ? take_clock(text) : std::nullopt;
    if (!clock) {
        return std::nullopt;
    }
    const std::int64_t fraction = take_fraction(text);
    const auto zone = take_zone(text);
    return zone ? std::optional((*date + *clock - *zone) * ns_per_second + fraction) : std::nullopt;
}

Boots boots_of(const Snapshot& before, const Snapshot& after) {
    const std::string first = text_in_head(before, "host.bootId");
    const std::string second = text_in_head(after, "host.bootId");
    return first.empty() || second.empty() ? Boots::unknown : first == second ? Boots::same : Boots::other;
}

Elapsed elapsed_between(const Evidence& before, const Evidence& after) {
    return by_clocks(before, after, monotonic_time(before), monotonic_time(after));
}

Elapsed elapsed_between(const Evidence& before, const Evidence& after, std::string_view before_ns,
                        std::string_view after_ns) {
    return by_clocks(before, after, parse_number(before_ns).value_or(0), parse_number(after_ns).value_or(0));
}

std::optional<double> between_passes(const Evidence& evidence, std::size_t first, std::size_t last) {
    if (first >= evidence.passes.size() || last >= evidence.passes.size()) {
        return std::nullopt;
    }
    const std::uint64_t from = evidence.passes[first].monotonic_ns;
    const std::uint64_t to = evidence.passes[last].monotonic_ns;
    return to > from ? std::optional(static_cast<double>(to - from) / ns_per_second) : std::nullopt;
}

} // namespace barscope::tool
