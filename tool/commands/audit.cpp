// audit: what was done under lab override, and how to undo it.
#include <commands/context.h>

#include <algorithm>

#include <fmt/format.h>

#include <audit/audit_history.h>
#include <audit/audit_place.h>
#include <device/files.h>
#include <device/lookup.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/table.h>

namespace barscope::tool {

namespace {

constexpr std::size_t largest_log = std::size_t{1} << 28;

std::string safe(std::string_view text) {
    std::string out;
    append_safe(out, text);
    return out;
}

std::string value_text(const std::optional<std::uint64_t>& value, unsigned width, const char* otherwise) {
    return value ? fmt::format("0x{:0{}x}", *value, width / 4) : otherwise;
}

std::string who(const AuditEntry& entry) {
    return safe(entry.sudo_user.empty() ? entry.user : entry.sudo_user + " as " + entry.user);
}

std::string what(const AuditEntry& entry) {
    const std::string place = fmt::format("{}+{:#x}/{}", entry.place, entry.offset, entry.width);
    std::string text(name(entry.action));
    text += ' ';
    text += entry.reg.empty() ? place : entry.target + " (" + place + ")";
    return safe(text);
}

std::string change(const AuditEntry& entry) {
    if (entry.action == AuditAction::read) {
        return "-";
    }
    return value_text(entry.old_value, entry.width, "not read") + " -> " +
           value_text(entry.new_value, entry.width, "?");
}

// An intent without an outcome says nothing about whether the access was made.
Table::Cell outcome(const AuditAccess& access) {
    if (!access.outcome) {
        return {"unknown: no outcome recorded", Ink::warning};
    }
    const AuditEntry& entry = *access.outcome;
    if (entry.status == "done") {
        return {value_text(entry.value, entry.width, "not read"), Ink::plain};
    }
    return {safe(entry.status + (entry.value ? " " + value_text(entry.value, entry.width, "") : "") +
                 (entry.detail.empty() ? "" : ": " + entry.detail)),
            Ink::critical};
}

void render_text(Context& context, const std::string& path, const AuditHistory& history) {
    std::string& out = context.output.text();
    out += fmt::format("audit log {}: {} {}\n", safe(path), history.accesses.size(),
                       history.accesses.size() == 1 ? "access" : "accesses");
    if (!history.accesses.empty()) {
        Table table({"ID", "TIME", "USER", "DEVICE", "WHAT", "OLD -> NEW", "READ BACK", "REASON"});
        for (const AuditAccess& access : history.accesses) {
            const AuditEntry& entry = access.intent;
            table.add({{std::to_string(entry.id)},
                       {safe(entry.time.substr(0, 19)) + "Z"},
                       {who(entry)},
                       {safe(entry.address)},
                       {what(entry)},
                       {change(entry)},
                       outcome(access),
                       {safe(entry.reason)}});
        }
        table.append(out, context.style);
    }
    if (history.foreign != 0) {
        out += fmt::format("{} lines are torn or none of this log's\n", history.foreign);
    }
    if (history.stray != 0) {
        out += fmt::format("{} outcomes have no intent before them\n", history.stray);
    }
}

void render_json(Context& context, const std::string& path, const AuditHistory& history) {
    JsonWriter json(context.output.text());
    json.begin_object();
    write_tool(json);
    json.member("auditLog", path);
    json.key("accesses");
    json.begin_array();
    for (const AuditAccess& access : history.accesses) {
        json.break_line();
        json.begin_object();
        json.key("intent");
        write_audit_entry(json, access.intent);
        json.key("outcome");
        if (access.outcome) {
            write_audit_entry(json, *access.outcome);
        } else {
            json.null();
        }
        json.end_object();
    }
    json.end_array();
    json.member_number("foreignLines", history.foreign);
    json.member_number("strayOutcomes", history.stray);
    json.end_object();
    context.output.text() += '\n';
}

Result<int> undo(Context& context, const std::string& path, const AuditHistory& history) {
    const OverrideArguments& options = context.arguments.override_options;
    const auto found =
        std::find_if(history.accesses.rbegin(), history.accesses.rend(),
                     [&](const AuditAccess& access) { return access.intent.id == options.undo_id; });
    if (found == history.accesses.rend()) {
        return fail({ErrorCode::usage, "no-such-entry", "the audit log has no entry of this number",
                     fmt::format("{} in {}", options.undo_id, path), "`barscope audit` lists them"});
    }
    const UndoProposal proposal = propose_undo(*found, options.audit_log);
    if (proposal.command.empty()) {
        return fail({ErrorCode::refused,
                     "no-undo",
                     "there is no write that undoes this: " + proposal.remark,
                     fmt::format("entry {} in {}", options.undo_id, path),
                     {}});
    }
    if (context.arguments.json) {
        JsonWriter json(context.output.text());
        json.begin_object();
        write_tool(json);
        json.member("command", proposal.command);
        json.member("remark", proposal.remark);
        json.end_object();
    } else {
        context.output.text() += proposal.command;
    }
    context.output.text() += '\n';
    if (!proposal.remark.empty()) {
        context.messages.push_back("barscope: note: " + safe(proposal.remark) + "\n");
    }
    return 0;
}

} // namespace

Result<int> run_audit(Context& context) {
    const Arguments& arguments = context.arguments;
    const std::string& named = arguments.override_options.audit_log;
    const std::string path = named.empty() ? system_root(arguments.root).path(default_audit_log) : named;
    AuditHistory history;
    if (!named.empty() || exists(path)) {
        const auto text = read_user_file(path, largest_log);
        if (!text) {
            return fail(text.error());
        }
        history = read_history(*text);
    } else {
        context.messages.push_back("barscope: note: there is no audit log yet (" + safe(path) + ")\n");
    }
    if (arguments.override_options.undo) {
        return undo(context, path, history);
    }
    if (arguments.json) {
        render_json(context, path, history);
    } else {
        render_text(context, path, history);
    }
    return 0;
}

} // namespace barscope::tool
