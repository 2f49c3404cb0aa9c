#include <override/session.h>

#include <array>
#include <cstdlib>

#include <pwd.h>
#include <unistd.h>

#include <fmt/format.h>

#include <audit/audit_place.h>
#include <safety/privileges.h>

namespace barscope::tool {

namespace {

std::string login_name() {
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
        return entry.pw_name;
    }
    return fmt::format("uid {}", ::getuid());
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

AuditEntry entry_form(const Arguments& arguments, const Subject& subject) {
    AuditEntry form;
    const char* behind_sudo = std::getenv("SUDO_USER"); // NOLINT(concurrency-mt-unsafe): one thread
    form.user = login_name();
    form.uid = ::getuid();
    form.sudo_user = behind_sudo == nullptr ? "" : behind_sudo;
    form.host = host_name();
    form.root = arguments.root;
    form.address = to_string(subject.facts->address);
    form.vendor = fmt::format("{:#06x}", subject.facts->vendor);
    form.device = fmt::format("{:#06x}", subject.facts->device);
    form.driver = subject.facts->driver;
    form.map = subject.map.name;
    form.map_version = subject.map.version;
    form.map_option = arguments.map;
    form.reason = arguments.lab_override->reason();
    form.version = BARSCOPE_VERSION;
    return form;
}

} // namespace

void Session::before_first_load() {
    static_cast<void>(safety::confine({.stores = true})); // `doctor` tells what comes of it
}

AccessOrder order_for(const regmaps::RegisterMap& map, const LabTarget& target, AuditAction action) {
    AccessOrder order;
    order.action = action;
    order.target = target.name;
    order.reg = target.reg_name;
    order.space = map.text(map.spaces[map.registers[target.instance.reg].space].name);
    order.place = target.place;
    order.word = target.word;
    return order;
}

AuditPlace audit_place(const Arguments& arguments, const safety::SystemRoot& root) {
    if (!arguments.override_options.audit_log.empty()) {
        return {arguments.override_options.audit_log, false};
    }
    return {root.path(default_audit_log), true};
}

Result<void> check_gate(const safety::SystemRoot& root, const safety::DeviceFacts& facts,
                        const CaptureOptions& options, Place place) {
    for (const safety::Verdict& verdict :
         safety::check_device(root, facts, {.allow_vfio = options.allow_vfio})) {
        // Configuration space of a virtual machine's device is read as ever, but left alone otherwise.
        const bool matters =
            place != config_place || verdict.check == "driver" || !concerns_bars_only(verdict);
        if (!verdict.passed && verdict.refusal && matters) {
            return fail(*verdict.refusal);
        }
    }
    return {};
}

Result<Session> Session::open(const Context& context, const Subject& subject, Place place,
                              safety::PortUse use) {
    const Arguments& arguments = context.arguments;
    const safety::LabOverride& proof = *arguments.lab_override;
    if (auto passed = check_gate(subject.root, *subject.facts, arguments.capture, place); !passed) {
        return fail(std::move(passed.error()));
    }
    auto log = AuditLog::open(proof, audit_place(arguments, subject.root));
    if (!log) {
        return fail(std::move(log.error()));
    }
    auto port = place == config_place
                    ? safety::OverridePort::open_config(proof, subject.root, *subject.facts, use)
                    : safety::OverridePort::open_bar(proof, subject.root, *subject.facts, place, use);
    if (!port) {
        return fail(std::move(port.error()));
    }
    return Session(proof, std::move(*log), std::move(*port), entry_form(arguments, subject));
}

AuditEntry Session::entry_of(const AccessOrder& order) const {
    AuditEntry entry = form_;
    entry.operation = entries_.empty() ? 0 : entries_.front().operation;
    entry.action = order.action;
    entry.target = order.target;
    entry.reg = order.reg;
    entry.space = order.space;
    entry.place = place_name(order.place);
    entry.offset = order.word.offset;
    entry.width = order.word.width;
    entry.old_value = order.old_value;
    if (order.action != AuditAction::read) {
        entry.new_value = order.value;
    }
    entry.detail = order.detail;
    entry.undo = order.undo;
    return entry;
}

Error Session::not_made(AuditEntry& entry, const Error& error) {
    const bool faulted = error.cause == "access-faulted";
    static_cast<void>(conclude(entry, std::nullopt, faulted ? "faulted" : "not-made", error.what));
    return error;
}

Result<AuditEntry> Session::store(const AccessOrder& order) {
    if (auto possible = port_->check(order.word); !possible) {
        return fail(std::move(possible.error()));
    }
    AuditEntry entry = entry_of(order);
    if (auto noted = log_.intend(entry); !noted) {
        noted.error().remedy += "; nothing was written to the device";
        return fail(std::move(noted.error()));
    }
    if (auto stored = port_->store(*proof_, order.word, order.value); !stored) {
        return fail(not_made(entry, stored.error()));
    }
    return entry;
}

Result<AuditEntry> Session::restore(const AccessOrder& order, std::optional<Error>& noted) {
    AuditEntry entry = entry_of(order);
    if (auto intent = log_.intend(entry); !intent) {
        noted = std::move(intent.error());
    }
    if (auto stored = port_->store(*proof_, order.word, order.value); !stored) {
        return fail(not_made(entry, stored.error()));
    }
    return entry;
}

Result<AuditEntry> Session::load(const AccessOrder& order) {
    if (auto possible = port_->check(order.word); !possible) {
        return fail(std::move(possible.error()));
    }
    AuditEntry entry = entry_of(order);
    if (auto noted = log_.intend(entry); !noted) {
        noted.error().remedy += "; nothing was read from the device";
        return fail(std::move(noted.error()));
    }
    const auto loaded = port_->load(*proof_, order.word);
    if (!loaded) {
        return fail(not_made(entry, loaded.error()));
    }
    if (auto noted = conclude(entry, *loaded, "done", entry.detail); !noted) {
        noted.error().what += fmt::format("; the device was read, and the value was {:#x}", *loaded);
        return fail(std::move(noted.error()));
    }
    return entry;
}

Result<void> Session::conclude(AuditEntry& entry, std::optional<std::uint64_t> value, std::string status,
                               std::string detail) {
    entry.value = value;
    entry.status = std::move(status);
    entry.detail = std::move(detail);
    auto noted = log_.conclude(entry);
    entries_.push_back(entry);
    return noted;
}

} // namespace barscope::tool
