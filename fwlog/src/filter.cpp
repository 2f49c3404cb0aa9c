#include <fwlog/filter.h>

#include <algorithm>

#include <regmaps/names.h>

#include <fwlog/patterns.h>

#include "calendar.h"
#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

bool bounds_word(char c) {
    return !is_word(c) && c != '-';
}

// As a word of its own: "eth1" is not in "eth10".
bool holds_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || bounds_word(text[at - 1])) && (end == text.size() || bounds_word(text[end]))) {
            return true;
        }
    }
    return false;
}

// "0000:45:00.0" anywhere.
bool holds_address(std::string_view text) {
    for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
        const bool shape = dot >= 12 && dot + 1 < text.size() && is_digit(text[dot + 1]) &&
                           text[dot - 3] == ':' && text[dot - 6] == ':' && hex_value(text[dot - 1]) >= 0 &&
                           hex_value(text[dot - 2]) >= 0 && hex_value(text[dot - 4]) >= 0 &&
                           hex_value(text[dot - 7]) >= 0;
        if (shape) {
            return true;
        }
    }
    return false;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    const auto value = text.starts_with("0x") ? take_hex(text) : take_decimal(text);
    return text.empty() ? value : std::nullopt;
}

bool has_code(const Record& record, const std::string& wanted) {
    if (const auto number = whole_number(wanted)) {
        return record.code == number;
    }
    return (record.pattern != nullptr && regmaps::glob_match(wanted, record.pattern->name)) ||
           (!record.code_name.empty() && regmaps::glob_match(wanted, record.code_name));
}

// "kernel-log" for "kernel log"; "ring" for "ring NAME".
} // namespace

bool is_source(std::string_view name, std::string_view wanted) {
    std::string known(name);
    std::replace(known.begin(), known.end(), ' ', '-');
    return known == wanted || known.starts_with(std::string(wanted) + "-");
}

std::optional<Since> parse_since(std::string_view text) {
    std::string_view rest = text;
    Stamp stamp;
    if (take_iso(rest, stamp) && rest.empty()) {
        const auto ns = nanoseconds(stamp);
        return ns ? std::optional<Since>({*ns, Clock::wall}) : std::nullopt;
    }
    rest = text;
    if (take_month_day(rest, stamp) && take(rest, " ") && take_clock_time(rest, stamp) && rest.empty()) {
        const auto ns = nanoseconds(stamp);
        return ns ? std::optional<Since>({*ns, Clock::wall_no_year}) : std::nullopt;
    }
    rest = text;
    const auto seconds = take_decimal(rest);
    if (!seconds || *seconds > 9'000'000'000) {
        return std::nullopt;
    }
    std::uint64_t nanos = 0;
    if (take(rest, ".")) {
        std::uint64_t unit = 100'000'000;
        for (; !rest.empty() && is_digit(rest[0]); rest.remove_prefix(1), unit /= 10) {
            nanos += static_cast<std::uint64_t>(rest[0] - '0') * unit;
        }
    }
    static_cast<void>(take(rest, "s"));
    return rest.empty() ? std::optional<Since>({*seconds * 1'000'000'000 + nanos, Clock::kernel_monotonic})
                        : std::nullopt;
}

bool concerns(const DeviceNames& device, const Record& record) {
    const auto names_it = [&](std::string_view text) {
        return (!device.address.empty() && text.find(device.address) != std::string_view::npos) ||
               std::any_of(device.names.begin(), device.names.end(),
                           [&](const std::string& name) { return holds_word(text, name); });
    };
    if (names_it(record.message) || (!record.extra.empty() && names_it(record.extra))) {
        return true;
    }
    return !device.driver.empty() && record.message.starts_with(device.driver) &&
           !holds_address(record.message.substr(0, 256));
}

bool Filter::active() const {
    return since || since_sequence || least != Severity::unknown || !codes.empty() || !sources.empty() ||
           device;
}

bool Filter::passes(const Record& record) const {
    if (!sources.empty() && std::none_of(sources.begin(), sources.end(), [&](const std::string& source) {
            return is_source(record.source, source);
        })) {
        return false;
    }
    if (record.kind == RecordKind::gap) {
        return true; // what is lost might have passed
    }
    if (device && !concerns(*device, record)) {
        return false;
    }
    if (record.severity < least) {
        return false;
    }
    if (since && record.time_ns && record.clock == since->clock && *record.time_ns < since->ns) {
        return false;
    }
    if (since_sequence && record.sequence && *record.sequence < *since_sequence) {
        return false;
    }
    return codes.empty() || std::any_of(codes.begin(), codes.end(),
                                        [&](const std::string& code) { return has_code(record, code); });
}

} // namespace barscope::fwlog
