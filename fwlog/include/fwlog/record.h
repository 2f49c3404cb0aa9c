// What every firmware-log source becomes: one record per entry, nothing dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace barscope::fwlog {

enum class Severity : std::uint8_t { unknown, debug, info, notice, warning, error, critical };
inline constexpr std::size_t severity_count = 7;
std::string_view name(Severity severity);
// "err", "warn", "emerg" and the like as well; nothing where it is no severity.
std::optional<Severity> parse_severity(std::string_view word);
// The kernel's log level, 0 (emerg) to 7 (debug).
Severity severity_of_level(unsigned level);

// kernel_monotonic: nanoseconds since boot. wall: since 1970-01-01 of the stamp as it is written, whatever
// its time zone. wall_no_year: the same without a year (taken as 1972, a leap year). device: the firmware's
// own counter.
enum class Clock : std::uint8_t { none, kernel_monotonic, wall, wall_no_year, device };
std::string_view name(Clock clock);

struct Pattern;
struct PatternField;

// A value in a row's message, found by a pattern.
struct FieldValue {
    const PatternField* field = nullptr;
    std::uint64_t value = 0; // numbers; negative ones as 64-bit two's complement
    std::string_view text;   // as written
    bool all_ones = false;   // every bit of the field's width: what a device that is gone reads as
    std::string_view
        differs; // compared fields: the text that the other source gives; empty: none, or the same
};

enum class RecordKind : std::uint8_t {
    entry,    // a row or entry that was understood
    unparsed, // kept as it is; parse_error says why
    comment,  // a row that only speaks about the log: "# ...", "-- Boot ... --", a header
    gap,      // records that are known to be lost
    blank,    // an empty row
};
std::string_view name(RecordKind kind);

// Views point into the bytes of the row, into the pattern set, or to constants: they live until the source is
// asked for its next row, unless the source says otherwise.
struct RecordValues {
    RecordKind kind = RecordKind::entry;
    Clock clock = Clock::none;
    Severity severity = Severity::unknown; // the pattern's, else the source's
    Severity level = Severity::unknown;    // the source's own
    std::uint8_t sequence_bits = 0;        // width at which the source's counter wraps; 0: not known
    std::uint8_t data_width = 0;           // bits of each word of data
    bool new_boot = false;                 // the first row of another boot
    bool overwritten = false;              // ring: the device wrote here during the read
    std::uint64_t line = 0;                // number of the row or entry in its source, from 1
    std::uint64_t lost = 0;                // gap: how many; 0: not known
    std::optional<std::uint64_t> sequence, time_ns, code;
    const Pattern* pattern = nullptr;
    std::string_view time_text; // as written
    std::string_view received; // when another program received the row, as written: not the time of the event
    std::string_view code_name;   // empty: nothing names it
    std::string_view program;     // syslog's: "kernel", "systemd-udevd[1226]"
    std::string_view message;     // bytes as they came: escape before showing
    std::string_view source;      // "kernel log", "table", "ring NAME", ...
    std::string_view raw;         // the exact bytes of the row, without its line break
    std::string_view extra;       // a record's further rows (/dev/kmsg: " DEVICE=...")
    std::string_view parse_error; // empty: parsed whole
    std::string_view boot;        // which boot, where the source tells; else empty
};

struct Record : RecordValues {
    std::vector<FieldValue> fields;
    std::vector<std::uint64_t> data;   // words, as the source groups them
    std::unique_ptr<std::string> text; // backs views where the source's own bytes are encoded (JSON)

    void clear() {
        static_cast<RecordValues&>(*this) = RecordValues{};
        fields.clear(); // their memory is used again for the next row
        data.clear();
        text.reset();
    }
};

// The same record with a `text` of its own behind all its views, so that it outlives the source it came from.
// Pattern and fields still belong to the pattern set.
Record kept(const Record& record);

} // namespace barscope::fwlog
