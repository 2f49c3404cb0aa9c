#include <audit/audit_history.h>

#include <algorithm>

#include <fmt/format.h>

#include <safety/error.h>

namespace barscope::tool {

namespace {

constexpr std::string_view harmless =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";

void add_option(std::string& command, std::string_view option, const std::string& value) {
    if (!value.empty()) {
        command += fmt::format(" {} {}", option, shell_quoted(value));
    }
}

} // namespace

AuditHistory read_history(std::string_view text) {
    AuditHistory history;
    std::map<std::uint64_t, std::size_t> by_id;
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        auto entry = parse_audit_line(text.substr(0, newline));
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
        if (!entry) {
            ++history.foreign;
        } else if (entry->phase == AuditPhase::intent) {
            by_id[entry->id] = history.accesses.size();
            history.accesses.push_back({std::move(*entry), std::nullopt});
        } else if (const auto intent = by_id.find(entry->id); intent != by_id.end()) {
            history.accesses[intent->second].outcome = std::move(*entry);
        } else {
            ++history.stray;
        }
    }
    return history;
}

std::string shell_quoted(std::string_view text) {
    if (!text.empty() && text.find_first_not_of(harmless) == std::string_view::npos) {
        return std::string(text);
    }
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

UndoProposal propose_undo(const AuditAccess& access, const std::string& log_option) {
    const AuditEntry& entry = access.intent;
    if (entry.action != AuditAction::write) {
        return {{},
                entry.action == AuditAction::read
                    ? "it was a read: what it changed on the device, if anything, no write brings back"
                    : "it moved a window for another access, and was put back by that one's last step"};
    }
    if (access.outcome && access.outcome->status == "not-made") {
        return {{}, "the write was not made"};
    }
    if (!entry.undo.value) {
        return {{}, entry.undo.why.empty() ? "the log does not say what it held" : entry.undo.why};
    }
    std::string command = "barscope write " + shell_quoted(entry.address) + " " +
                          shell_quoted(fmt::format("{}={:#x}", entry.undo.target, *entry.undo.value));
    add_option(command, "--map", entry.map_option);
    add_option(command, "--root", entry.root);
    add_option(command, "--audit-log", log_option);
    command += " --lab-override";
    add_option(command, "--reason", fmt::format("undo of {}: {}", entry.id, escaped(entry.reason)));
    if (escaped(command) != command) { // it would reach a terminal as it is, or be another command
        return {{}, "the log's names hold control characters: " + escaped(command)};
    }
    std::string remark = entry.undo.why;
    if (!access.outcome) {
        remark += remark.empty() ? "" : "; ";
        remark += "whether the write was made is not known";
    }
    return {std::move(command), std::move(remark)};
}

} // namespace barscope::tool
