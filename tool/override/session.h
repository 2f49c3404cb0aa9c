// Everything that one command under lab override opens, and the accesses that it makes: each noted before,
// once made, and noted after.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <commands/context.h>
#include <override/audit_log.h>
#include <override/target.h>

namespace barscope::tool {

// One access, ready to be made.
struct AccessOrder {
    AuditAction action = AuditAction::write;
    std::string target, reg, space; // as in AuditEntry
    Place place = 0;
    safety::PortWord word;
    std::optional<std::uint64_t> old_value;
    std::uint64_t value = 0; // to be stored
    std::string detail;
    AuditUndo undo;
};
AccessOrder order_for(const regmaps::RegisterMap& map, const LabTarget& target, AuditAction action);

class Session {
  public:
    // The gate is asked first; then the audit log and the device's file are opened. Nothing of the device is
    // read or written.
    static Result<Session> open(const Context& context, const Subject& subject, Place place,
                                safety::PortUse use);

    // Everything that this command ever opens for writing is open, and no word of a BAR has been loaded: what
    // is not needed any more is given up.
    static void before_first_load();

    Result<void> check(const safety::PortWord& word) const { return port_->check(word); }

    // Notes, stores once. What came of it has still to be concluded; an error was concluded already, or the
    // device was not touched.
    Result<AuditEntry> store(const AccessOrder& order);
    // As store(), where the note cannot be a condition any more: a window is put back in any case. `noted` is
    // the error of the log, if any.
    Result<AuditEntry> restore(const AccessOrder& order, std::optional<Error>& noted);
    // Notes, loads once, notes the value.
    Result<AuditEntry> load(const AccessOrder& order);
    Result<void> conclude(AuditEntry& entry, std::optional<std::uint64_t> value, std::string status,
                          std::string detail);

    const std::vector<AuditEntry>& entries() const { return entries_; } // concluded ones
    const std::string& log_path() const { return log_.path(); }

  private:
    Session(const safety::LabOverride& proof, AuditLog log, std::unique_ptr<safety::OverridePort> port,
            AuditEntry form)
        : proof_(&proof), log_(std::move(log)), port_(std::move(port)), form_(std::move(form)) {}
    AuditEntry entry_of(const AccessOrder& order) const;
    Error not_made(AuditEntry& entry, const Error& error);

    const safety::LabOverride* proof_;
    AuditLog log_;
    std::unique_ptr<safety::OverridePort> port_;
    AuditEntry form_; // what all entries of this command share
    std::vector<AuditEntry> entries_;
};

// The first verdict that forbids this place, of the device as `facts` has it.
Result<void> check_gate(const safety::SystemRoot& root, const safety::DeviceFacts& facts,
                        const CaptureOptions& options, Place place);
AuditPlace audit_place(const Arguments& arguments, const safety::SystemRoot& root);

} // namespace barscope::tool
