// A line of the audit log: what lab override is about to do to a device, or what became of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <render/json_writer.h>

namespace barscope::tool {

enum class AuditPhase : std::uint8_t { intent, outcome };
// select and restore are the writes that move a window and put it back.
enum class AuditAction : std::uint8_t { write, read, select, restore };

std::string_view name(AuditPhase phase);
std::string_view name(AuditAction action);

// What would undo a write, as far as one can tell beforehand.
struct AuditUndo {
    std::string target;                 // "CTRL.SPEED", "bar0+0x10"
    std::optional<std::uint64_t> value; // nothing: `why`
    std::string why;                    // there is none, or what it does not bring back
};

struct AuditEntry {
    std::uint64_t id = 0;        // intent and outcome of one access share it
    std::uint64_t operation = 0; // the id of the first access of one command
    AuditPhase phase = AuditPhase::intent;
    AuditAction action = AuditAction::write;
    std::string time; // UTC
    std::string user, sudo_user, host;
    std::uint64_t uid = 0;
    std::string root; // --root; empty: this machine
    std::string address, vendor, device, driver;
    std::string map, map_version, map_option; // `map_option`: as given with --map
    std::string target;                       // as the user named it
    std::string reg, space;                   // the map's names; empty for raw access
    std::string place;                        // "bar0", "config"
    std::uint64_t offset = 0;
    unsigned width = 32;
    std::optional<std::uint64_t> old_value, new_value, value; // `value`: read, or read back
    std::string status; // "intended", "done", "differs", "not-made", "faulted"
    std::string detail; // what there is to say about the status, or why `old` was not read
    std::string reason, version;
    AuditUndo undo;
};

// One JSON object in one line, without its end.
void write_audit_entry(JsonWriter& json, const AuditEntry& entry);
std::string audit_line(const AuditEntry& entry);
// Nothing where the line is none of the audit log's.
std::optional<AuditEntry> parse_audit_line(std::string_view line);

// "2026-12-01T03:14:16.123456789Z"
std::string audit_time(std::uint64_t realtime_ns);

} // namespace barscope::tool
