// What `show` and `diff` tell, as plain values: one report, four renderers (text, JSON, Markdown, HTML).
// Texts are as they came from outside: every renderer escapes for its own format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <regmaps/model.h>

namespace barscope::tool {

using regmaps::Severity;

// One snapshot: who, what, when. Empty texts: not known.
struct ReportSubject {
    std::string file, created, label, host, kernel; // created: RFC 3339, UTC
    std::string stopped;                            // why it is no whole snapshot; empty: it is one
    std::string address, ids, description; // "0000:3b:00.0", "14e4:1750 rev 0x11", map title or pci.ids
    std::string driver, driver_version, firmware;
    std::string map; // "bnxt-p5 2.0.0"
    std::string tool;
    unsigned passes = 0;
    bool redacted = false;
};

// A named pair of texts. In a report on one snapshot `before` is empty.
struct ReportRow {
    std::string name, before, after;
    Severity severity = Severity::unspecified;
    bool changed = false;
    bool noise = false; // only shown with --all
    std::string remark; // why it is noise, or what it means; may be empty
};

struct ReportCheck {
    std::string name, before, after; // "passed", "failed", "not evaluated", "not applicable"
    Severity severity = Severity::unspecified;
    std::string found, meaning, advice; // found: "FW_STATUS.CODE = 0x8001"
    bool changed = false;
};

struct ReportField {
    std::string name; // empty: bits that nothing names
    unsigned lsb = 0, msb = 0;
    std::string before, after;                 // texts with enum names: "0x8000 READY"
    Severity severity = Severity::unspecified; // the worse of both values'
    bool changed = false;
};

struct ReportRegister {
    std::string name, space, title, group; // name: "BLOCK[2].NAME"; group: the first one
    std::uint64_t offset = 0;              // in the BAR or configuration space
    unsigned width = 32;
    // Hex with all digits; empty where not read, and then the reason. Of one snapshot `before` is empty.
    std::string before, after, before_reason, after_reason;
    std::uint64_t changed_bits = 0;
    Severity severity = Severity::unspecified;
    regmaps::Volatility volatility = regmaps::Volatility::status;
    bool changed = false, noise = false, moving = false; // moving: it differs between a snapshot's own passes
    std::string remark;
    std::vector<ReportField> fields; // from the highest bit down
};

// A register's field, or a kernel counter, that counts.
struct ReportCounter {
    std::string name, source; // source: "register", "ethtool -S", "hw_counters", ...
    std::string before, after;
    std::string delta, rate; // "+5", "2.5/s"; empty where they cannot be told
    bool wrapped = false;    // delta was taken modulo the counter's width
    bool reset = false;      // it went backwards: somebody reset it
    bool stalled = false;    // an index that moved within BEFORE and stands still within AFTER
    bool index = false;      // an index rather than a counter: delta is modulo depth
    Severity severity = Severity::unspecified;
    bool changed = false, noise = false;
    std::string remark;
};

struct ReportLogRecord {
    std::string time;                   // as written, or seconds since boot
    double seconds = -1;                // on the kernel's clock, for a time line; negative: not known
    std::string severity, source, text; // severity: fwlog's name
    bool fresh = false;                 // only in AFTER
    bool gap = false;
};

struct ReportSource {                      // a collector, a log source, a BAR
    std::string name, source, status, why; // status: "read", "absent", "failed", "refused"
};

struct Report {
    bool difference = false;             // of two snapshots
    std::vector<ReportSubject> subjects; // one, or BEFORE and AFTER
    std::vector<std::string> verdict;    // one to three lines, the most important first
    Severity worst = Severity::unspecified;
    std::size_t findings = 0, noise = 0; // how many; noise: left out without --all
    std::vector<std::string> warnings;   // other device, other firmware, edited file, ...: before all else
    std::vector<ReportRow> identity;     // of a difference: what differs; else who it is
    std::vector<ReportCheck> checks;
    // Of a difference: what changed (and with --all the noise), the worst first. Of one snapshot: what
    // deserves a look: registers with a severity above ok.
    std::vector<ReportRegister> registers;
    std::vector<ReportCounter> counters;
    std::vector<ReportLogRecord> logs;
    std::string log_summary;           // "12 records: 3 errors, 2 warnings; 1 gap"
    std::vector<ReportRow> context;    // named "collector: key"
    std::vector<ReportRow> coverage;   // what was read in one only, before/after: "read" or why not
    std::vector<ReportSource> sources; // what was asked and what it gave
    // Every register, in the map's order; filled only where a renderer wants it (HTML, JSON of `show`).
    std::vector<ReportRegister> tree;
    bool truncated = false; // something was left out because of its size; a warning says what
};

} // namespace barscope::tool
