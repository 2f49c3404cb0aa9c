#include <override/steps.h>

#include <sys/stat.h>

#include <fmt/format.h>

#include <commands/capture_steps.h>

namespace barscope::tool {

namespace {

std::string description(const safety::DeviceFacts& facts) {
    std::string text =
        fmt::format("ids {:04x}:{:04x} {:04x}:{:04x}\nclass {:06x} revision {:02x}\ndriver {}\n",
                    facts.vendor, facts.device, facts.subsystem_vendor, facts.subsystem_device,
                    facts.class_code, facts.revision, facts.driver.empty() ? "none" : facts.driver);
    for (const safety::Bar& bar : facts.bars) {
        text += fmt::format("BAR at {:#x}, {:#x} bytes, flags {:#x}\n", bar.start, bar.size, bar.flags);
    }
    // A device that was pulled and put back has a new folder.
    struct stat status {};
    if (::stat(facts.directory.c_str(), &status) == 0) {
        text += fmt::format("folder {}:{}\n", status.st_dev, status.st_ino);
    }
    return text;
}

} // namespace

Result<Subject> open_device_subject(const Arguments& arguments) {
    auto subject = open_subject(arguments.root, subject_options(arguments));
    if (subject && !subject->facts) {
        return fail({ErrorCode::usage, "not-a-device", "lab override is for devices, and this is a file",
                     arguments.device, "name a device; `barscope list` shows what is there"});
    }
    return subject;
}

Error device_changed(const Subject& subject, const std::string& what) {
    return {ErrorCode::refused, "device-changed", "the device is not what it was when it was shown: " + what,
            to_string(subject.facts->address), "nothing was written; look at it again"};
}

DeviceState::DeviceState(const Subject& subject) : text_(description(*subject.facts)) {}

Result<void> DeviceState::still_holds(const Subject& subject, const CaptureOptions& options,
                                      Place place) const {
    const auto facts = safety::read_device_facts(subject.root, subject.facts->address);
    if (!facts) {
        return fail(device_changed(subject, facts.error().what));
    }
    const std::string now = description(*facts);
    std::string_view before = text_;
    std::string_view after = now;
    while (before != after) {
        const std::string_view was = before.substr(0, before.find('\n'));
        const std::string_view is = after.substr(0, after.find('\n'));
        if (was != is) {
            return fail(device_changed(subject, fmt::format("{} was {}", is, was)));
        }
        before.remove_prefix(std::min(was.size() + 1, before.size()));
        after.remove_prefix(std::min(is.size() + 1, after.size()));
    }
    auto passed = check_gate(subject.root, *facts, options, place);
    return passed ? Result<void>() : fail(device_changed(subject, passed.error().what));
}

void write_accesses(JsonWriter& json, const Session& session) {
    json.member("auditLog", session.log_path());
    json.key("accesses");
    json.begin_array();
    for (const AuditEntry& entry : session.entries()) {
        write_audit_entry(json, entry);
    }
    json.end_array();
}

std::string audit_note(const Session& session) {
    const auto& entries = session.entries();
    if (entries.empty()) {
        return {};
    }
    const std::string ids = entries.size() == 1
                                ? fmt::format("entry {}", entries.front().id)
                                : fmt::format("entries {} to {}", entries.front().id, entries.back().id);
    return fmt::format("audit log: {} in {}", ids, escaped(session.log_path()));
}

} // namespace barscope::tool
