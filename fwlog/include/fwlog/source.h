// One interface to every log that comes as rows: the next record, until there are no more.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fwlog/patterns.h>
#include <fwlog/plain_rows.h>
#include <fwlog/record.h>
#include <fwlog/rows.h>

namespace barscope::fwlog {

enum class Format : std::uint8_t {
    rows,         // a kernel log as people save it: dmesg, journalctl, syslog; told apart row by row
    kmsg,         // /dev/kmsg
    dmesg_json,   // dmesg --json
    journal_json, // journalctl -o json
    table,        // columns SEQ, CODE, DATA
    text,         // what a program prints: rows without stamps, each of them an entry
    coredump,     // ethtool -w: not rows; see coredump.h
    binary,       // neither text nor a dump that is known
};
std::string_view name(Format format); // "rows", "kmsg", ...
std::optional<Format> parse_format(std::string_view word);

// From the first bytes of a file (64 KiB are plenty).
Format detect_format(std::string_view beginning);

class Source {
  public:
    virtual ~Source() = default;
    // False at the end. An error comes after everything that could be read. The record is good until the next
    // call.
    virtual Result<bool> next(Record& record) = 0;
    // The plain rows that come next, as many as are at hand, good until the next call; none: ask next(),
    // which gives every row to those who do not ask here.
    virtual PlainRows plain() { return {}; }
};

// `stream` and `patterns` must outlive the source; coredump and binary are no rows and give an empty source.
std::unique_ptr<Source> make_source(ByteStream& stream, Format format, const PatternSet& patterns);

} // namespace barscope::fwlog
