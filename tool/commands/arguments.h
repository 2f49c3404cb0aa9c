// The command line as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <capture/hwq.h>
#include <capture/options.h>
#include <capture/pasted.h>
#include <logs/log_options.h>
#include <safety/error.h>
#include <safety/policy.h>

namespace barscope::tool {

enum class Command {
    list,
    info,
    read,
    dump,
    decode,
    hwq,
    driver_dump,
    explain,
    check,
    snapshot,
    show,
    diff,
    verify,
    fwlog,
    maps,
    doctor,
    demo,
    write,
    audit
};

enum class ColourMode { automatic, always, never };
enum class MapsAction { list, show, check, schema };

struct DecodeArguments {
    std::string name; // MAP:NAME
    PastedOptions input;
    std::optional<unsigned> levels; // walk page tables
    std::optional<std::uint64_t> directory_pages;
    bool full = false;
    std::optional<std::uint64_t> entry;
    bool show_pointers = false;
};

struct HwqArguments {
    std::vector<std::string> operands; // a device, or files
    std::vector<HwqKind> kinds;        // empty: all
    bool raw = false;                  // hardware contexts too
    bool full = false;
    bool show_pointers = false;
};

enum class ReportFormat { text, json, markdown, html };

struct SnapshotArguments {
    std::string output; // -o; empty: a name made from device and time
    std::string label;
    unsigned passes = 2;
    std::uint32_t interval_ms = 500;
    bool force = false, no_logs = false, no_context = false;
    bool redact = false;
    std::string redact_key; // a file
};

struct ReportArguments { // show, diff, verify
    std::vector<std::string> files;
    std::string baseline; // a folder of snapshots
    ReportFormat format = ReportFormat::text;
    std::string output; // -o; empty: standard output
    bool all = false, force = false;
};

struct OverrideArguments {  // write, read, audit
    std::string assignment; // REG=VALUE
    bool yes = false;       // the confirmation's answer
    bool raw = false;
    bool with_driver = false;      // move a window that a bound driver may use, too
    std::optional<unsigned> width; // of raw access, in bits
    std::string audit_log;         // empty: the default place
    bool undo = false;             // audit undo
    std::uint64_t undo_id = 0;
};

struct Arguments {
    Command command = Command::list;
    std::string root, map;
    bool json = false;   // also for NDJSON
    bool ndjson = false; // fwlog: one object a line
    ColourMode colour = ColourMode::automatic;
    std::optional<safety::LabOverride> lab_override;

    std::string device;                 // info, read, dump, check, fwlog, doctor
    std::vector<std::string> registers; // read
    CaptureOptions capture;             // read, dump, check
    DecodeArguments decode;
    HwqArguments hwq;
    std::optional<std::uint32_t> dump_version; // driver-dump of a file
    SnapshotArguments snapshot;
    ReportArguments report;
    OverrideArguments override_options;
    LogOptions log;      // fwlog
    std::string explain; // MAP:REG[.FIELD]
    MapsAction maps_action = MapsAction::list;
    std::vector<std::string> maps_operands;
    std::string directory;   // demo
    bool demo_fault = false; // the machine after its fault
};

struct Invocation {
    Arguments arguments;
    std::string help; // not empty: print this and be done
};

Result<Invocation> parse_arguments(int argc, const char* const* argv);
// For errors of the parser itself, whose form is decided before the command line is understood.
bool asks_for_json(int argc, const char* const* argv);

} // namespace barscope::tool
