// What every firmware-log source becomes: one record per entry, nothing dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace barscope::fwlog {

enum class Severity : std::uint8_t { unknown, debug, info, notice, warning, error, critical };
std::string_view name(Severity severity);

enum class Clock : std::uint8_t { none, kernel_monotonic, wall, device };
std::string_view name(Clock clock);

struct Record {
    std::optional<std::uint64_t> sequence;
    std::uint8_t sequence_bits = 0; // width at which the source's counter wraps; 0: no sequence
    std::optional<std::uint64_t> time_ns;
    Clock clock = Clock::none;
    Severity severity = Severity::unknown;
    std::optional<std::uint64_t> code;
    std::string code_name; // empty: the map does not name it
    std::vector<std::uint8_t> data;
    std::string message; // printable: bytes that are not UTF-8 are escaped
    std::string source;
    std::string raw;         // the exact bytes it came from
    std::string parse_error; // empty: parsed whole
};

} // namespace barscope::fwlog
