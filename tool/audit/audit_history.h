// The audit log as it is read: every access with what became of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <audit/audit_entry.h>

namespace barscope::tool {

struct AuditAccess {
    AuditEntry intent;
    std::optional<AuditEntry> outcome; // nothing: nobody knows whether it was made
};

struct AuditHistory {
    std::vector<AuditAccess> accesses; // in the order of the log
    std::size_t foreign = 0;           // lines that are none of the log's, or torn
    std::size_t stray = 0;             // outcomes without an intent before them
};

AuditHistory read_history(std::string_view text);

// The command that would undo a write, ready to be pasted into a shell; or why there is none.
struct UndoProposal {
    std::string command;
    std::string remark; // what it does not bring back; or, where there is no command, why
};
UndoProposal propose_undo(const AuditAccess& access, const std::string& log_option);

std::string shell_quoted(std::string_view text);

} // namespace barscope::tool
