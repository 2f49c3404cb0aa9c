// What a log says as a whole, in bounded memory however long it is. Errors are counted: what stands in the
// last row says nothing about the rows before.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fwlog/patterns.h>
#include <fwlog/plain_rows.h>
#include <fwlog/record.h>
#include <fwlog/sequence.h>

namespace barscope::fwlog {

struct Mark { // a row that the summary quotes
    std::uint64_t line = 0;
    std::string time, message, pattern; // message: at most 512 bytes
    Severity severity = Severity::unknown;
};

// A stretch of rows with one clock: a boot, where the kernel's stamps begin anew or the log says so.
struct Span {
    Clock clock = Clock::none;
    std::uint64_t first_line = 0, rows = 0;
    std::uint64_t earliest_ns = 0, latest_ns = 0;
};

// Numbers that rows carry and that should follow each other.
struct Series {
    std::string name; // "PATTERN.FIELD"
    std::uint64_t lowest = 0, highest = 0, step = 0;
    std::size_t seen = 0;
    std::vector<std::uint64_t> missing; // the first of them, ascending
    std::uint64_t missing_count = 0;
    bool partial = false; // more different numbers than are remembered
};

struct Summary {
    std::uint64_t rows = 0, entries = 0, unparsed = 0, comments = 0, blank = 0;
    std::uint64_t gaps = 0, lost = 0, duplicates = 0, backwards = 0, wraps = 0;
    std::uint64_t stamps_back = 0; // rows whose stamp is earlier than that of the row before
    std::uint64_t resets = 0, recoveries = 0, gone = 0, differing = 0, overwritten = 0;
    std::uint64_t known = 0; // rows that a pattern names
    std::array<std::uint64_t, severity_count> by_severity{};
    std::optional<Mark> first_error, last_error;
    std::vector<Span> spans; // at most 256; `more_spans` tells of others
    std::uint64_t more_spans = 0;
    std::map<std::string, std::uint64_t> patterns; // how often each
    std::vector<Series> series;
};

class Summarizer {
  public:
    void see(const Record& record);
    void see(const PlainRows& rows);
    Summary finish();

  private:
    void see_time(const Record& record);
    void begin_span(const Record& record);
    void see_stamps(std::uint64_t rows, std::uint64_t earliest, std::uint64_t latest);
    void see_sequence(const Record& record);
    void see_pattern(const Record& record);
    void see_error(const Record& record);

    static constexpr std::size_t most_spans = 256, most_numbers = 4096;
    Summary summary_;
    SequenceTracker tracker_;
    std::uint64_t last_ns_ = 0;
    Clock clock_ = Clock::none; // of the span that goes on; none: it has no stamp yet
    bool beyond_ = false;       // it is one of more_spans
    std::map<const Pattern*, std::uint64_t> counts_;
    struct Numbers {
        std::set<std::uint64_t> seen;
        bool partial = false;
    };
    std::map<std::string, Numbers> series_;
};

} // namespace barscope::fwlog
