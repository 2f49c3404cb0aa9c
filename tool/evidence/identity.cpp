#include <evidence/identity.h>

#include <array>
#include <map>

#include <fmt/format.h>

#include <evidence/elapsed.h>
#include <evidence/findings.h>
#include <evidence/head.h>

namespace barscope::tool {

namespace {

using nlohmann::json;
using Texts = std::map<std::string, std::string>;

struct Trait {
    std::string_view name, path;
    std::string_view what; // what it makes different: one warning for all of a kind
    Severity severity = Severity::warning;
    bool own = false; // each machine has its own
};

constexpr std::array<Trait, 15> traits{{
    {"address", "device.address", "device", Severity::warning, true},
    {"vendor", "device.vendor", "device"},
    {"device", "device.device", "device"},
    {"subsystem vendor", "device.subsystemVendor", "device"},
    {"subsystem device", "device.subsystemDevice", "device"},
    {"class", "device.class", "device"},
    {"revision", "device.revision", "device"},
    {"serial number", "device.serial", "device", Severity::warning, true},
    {"host", "host.hostName", "host", Severity::warning, true},
    {"architecture", "host.architecture", "host"},
    {"distribution", "host.distribution", "host", Severity::notice},
    {"kernel", "host.kernel", "kernel"},
    {"kernel command line", "host.kernelCommandLine", "", Severity::notice},
    {"driver", "device.driver.name", "driver"},
    {"driver version", "device.driver.version", "driver"},
}};

// The members of an object as texts.
Texts members_of(const Snapshot& snapshot, std::string_view path) {
    Texts out;
    const json* object = find_in_head(snapshot, path);
    if (object == nullptr || !object->is_object()) {
        return out;
    }
    for (const auto& [name, value] : object->items()) {
        out.emplace(name, text_of(&value));
    }
    return out;
}

std::string joined(const Texts& texts) {
    std::string out;
    for (const auto& [name, text] : texts) {
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, text);
    }
    return out;
}

// "0x14e4" -> "14e4"
std::string digits_of(const std::string& text) {
    return text.starts_with("0x") ? text.substr(2) : text;
}

std::string ids_of(const Snapshot& snapshot) {
    const std::string vendor = digits_of(text_in_head(snapshot, "device.vendor"));
    const std::string device = digits_of(text_in_head(snapshot, "device.device"));
    const std::string revision = digits_of(text_in_head(snapshot, "device.revision"));
    if (vendor.empty() && device.empty()) {
        return {};
    }
    return fmt::format("{}:{}{}{}", vendor, device, revision.empty() ? "" : " rev 0x", revision);
}

std::string map_text(const Snapshot& snapshot) {
    return snapshot.map_version.empty() ? snapshot.map_name : snapshot.map_name + " " + snapshot.map_version;
}

void warn_about_file(const Snapshot& snapshot, std::string_view who, Report& report) {
    const std::string of = fmt::format("{}{}{}", who, who.empty() ? "" : ": ", snapshot.path);
    if (snapshot.integrity.state == IntegrityState::changed) {
        std::string members;
        for (const std::string& name : snapshot.integrity.changed) {
            members += members.empty() ? name : ", " + name;
        }
        report.warnings.push_back(
            fmt::format("{} was edited after it was written{}{}", of, members.empty() ? "" : ": ", members));
    } else if (snapshot.integrity.state == IntegrityState::absent) {
        report.warnings.push_back(
            fmt::format("{} has no integrity record: nobody can tell whether it was edited", of));
    }
}

class IdentityComparison {
  public:
    IdentityComparison(const Evidence& before, const Evidence& after, Report& report)
        : before_(before.snapshot), after_(after.snapshot), report_(report) {}

    void run() {
        for (const Trait& trait : traits) {
            row(std::string(trait.name), text_in_head(before_, trait.path), text_in_head(after_, trait.path),
                trait.what, trait.severity);
        }
        rows("firmware ", "device.firmware", "firmware");
        rows("module parameter ", "device.driver.parameters", "module parameters");
        rows("name ", "device.names", "", Severity::notice);
        maps();
        for (const auto& [what, texts] : warnings_) {
            report_.warnings.push_back(fmt::format("BEFORE and AFTER differ in {}: {}", what, texts));
        }
    }

  private:
    // What is known of one only may be the same in both.
    void row(std::string name, std::string before, std::string after, std::string_view what,
             Severity severity) {
        if (before == after) {
            return;
        }
        const bool known = !before.empty() && !after.empty();
        if (known && !what.empty()) {
            std::string& text = warnings_[std::string(what)];
            text += fmt::format("{}{} {} and {}", text.empty() ? "" : ", ", name, before, after);
        }
        ReportRow out;
        out.name = std::move(name);
        out.before = before.empty() ? "not known" : std::move(before);
        out.after = after.empty() ? "not known" : std::move(after);
        out.severity = known ? severity : Severity::notice;
        out.changed = true;
        note(report_, out.severity, false);
        report_.identity.push_back(std::move(out));
    }

    void rows(std::string_view prefix, std::string_view path, std::string_view what,
              Severity severity = Severity::warning) {
        const Texts before = members_of(before_, path);
        Texts after = members_of(after_, path);
        for (const auto& [name, text] : before) {
            after.try_emplace(name);
        }
        for (const auto& [name, text] : after) {
            const auto other = before.find(name);
            row(std::string(prefix) + name, other == before.end() ? std::string() : other->second, text, what,
                severity);
        }
    }

    void maps() {
        const bool same_name = map_text(before_) == map_text(after_);
        row("map", map_text(before_), map_text(after_), "map", Severity::warning);
        if (same_name) {
            row("map content", before_.map_sha256, after_.map_sha256, "map", Severity::warning);
        }
    }

    const Snapshot& before_;
    const Snapshot& after_;
    Report& report_;
    std::map<std::string, std::string> warnings_;
};

void warn_about_time(const Evidence& before, const Evidence& after, Report& report) {
    if (boots_of(before.snapshot, after.snapshot) == Boots::other) {
        report.warnings.emplace_back("the machine was booted between BEFORE and AFTER: counters began anew");
    }
    if (elapsed_between(before, after).backwards) {
        report.warnings.emplace_back("AFTER was taken before BEFORE: are the two in the wrong order?");
    }
}

} // namespace

ReportSubject report_subject(const Evidence& evidence) {
    const Snapshot& snapshot = evidence.snapshot;
    ReportSubject out;
    out.file = snapshot.path;
    out.created = text_in_head(snapshot, "created.time");
    out.label = text_in_head(snapshot, "label");
    out.stopped = text_in_head(snapshot, "stopped");
    out.host = text_in_head(snapshot, "host.hostName");
    out.kernel = text_in_head(snapshot, "host.kernel");
    out.address = text_in_head(snapshot, "device.address");
    out.ids = ids_of(snapshot);
    out.description = text_in_head(snapshot, "device.description");
    out.driver = text_in_head(snapshot, "device.driver.name");
    out.driver_version = text_in_head(snapshot, "device.driver.version");
    out.firmware = joined(members_of(snapshot, "device.firmware"));
    out.map = map_text(snapshot);
    const std::string tool = text_in_head(snapshot, "tool.name");
    const std::string version = text_in_head(snapshot, "tool.version");
    out.tool = tool.empty() || version.empty() ? tool + version : tool + " " + version;
    out.passes = static_cast<unsigned>(evidence.passes.size());
    const json* redaction = find_in_head(snapshot, "redaction");
    out.redacted = redaction != nullptr && !redaction->is_null() && *redaction != json(false);
    return out;
}

std::map<std::string, std::string> common_traits(const Snapshot& snapshot) {
    Texts out;
    for (const Trait& trait : traits) {
        if (!trait.own) {
            out.emplace(trait.name, text_in_head(snapshot, trait.path));
        }
    }
    for (const auto& [prefix, path] :
         {std::pair{"firmware ", "device.firmware"}, {"module parameter ", "device.driver.parameters"}}) {
        for (auto& [name, text] : members_of(snapshot, path)) {
            out.emplace(prefix + name, text);
        }
    }
    out.emplace("link speed", text_in_head(snapshot, "device.link.speed"));
    out.emplace("link width", text_in_head(snapshot, "device.link.width"));
    out.emplace("map", map_text(snapshot));
    return out;
}

void describe_identity(const Evidence& one, Report& report) {
    const auto row = [&](std::string name, std::string text) {
        if (!text.empty()) {
            ReportRow out;
            out.name = std::move(name);
            out.after = std::move(text);
            report.identity.push_back(std::move(out));
        }
    };
    for (const Trait& trait : traits) {
        row(std::string(trait.name), text_in_head(one.snapshot, trait.path));
    }
    for (const auto& [prefix, path] : {std::pair{"firmware ", "device.firmware"},
                                       {"module parameter ", "device.driver.parameters"},
                                       {"name ", "device.names"}}) {
        for (auto& [name, text] : members_of(one.snapshot, path)) {
            row(prefix + name, text);
        }
    }
    row("lockdown", text_in_head(one.snapshot, "host.lockdown"));
    row("power state", text_in_head(one.snapshot, "device.powerState"));
    row("link speed", text_in_head(one.snapshot, "device.link.speed"));
    row("link width", text_in_head(one.snapshot, "device.link.width"));
    row("map", map_text(one.snapshot));
    warn_about_file(one.snapshot, "", report);
}

void compare_identity(const Evidence& before, const Evidence& after, Report& report) {
    warn_about_file(before.snapshot, "BEFORE", report);
    warn_about_file(after.snapshot, "AFTER", report);
    warn_about_time(before, after, report);
    IdentityComparison(before, after, report).run();
}

} // namespace barscope::tool
