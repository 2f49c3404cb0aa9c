#include <override/steps.h>

#include <sys/stat.h>

#include <fmt/format.h>

#include <commands/capture_steps.h>

namespace barscope::tool {

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

Result<DeviceState> DeviceState::take(const Subject& subject, const CaptureOptions& options, Place place) {
    const auto facts = safety::read_device_facts(subject.root, subject.facts->address);
    if (!facts) {
        return fail(facts.error());
    }
    if (auto passed = check_gate(subject.root, *facts, options, place); !passed) {
        return fail(std::move(passed.error()));
    }
    DeviceState state;
    state.text_ =
        fmt::format("ids {:04x}:{:04x} {:04x}:{:04x}\nclass {:06x} revision {:02x}\ndriver {}\n",
                    facts->vendor, facts->device, facts->subsystem_vendor, facts->subsystem_device,
                    facts->class_code, facts->revision, facts->driver.empty() ? "none" : facts->driver);
    for (const safety::Bar& bar : facts->bars) {
        state.text_ +=
            fmt::format("BAR at {:#x}, {:#x} bytes, flags {:#x}\n", bar.start, bar.size, bar.flags);
    }
    // A device that was pulled and put back has a new folder.
    struct stat status {};
    if (::stat(facts->directory.c_str(), &status) == 0) {
        state.text_ += fmt::format("folder {}:{}\n", status.st_dev, status.st_ino);
    }
    return state;
}

Result<void> DeviceState::still_holds(const Subject& subject, const CaptureOptions& options,
                                      Place place) const {
    const auto now = take(subject, options, place);
    if (!now) {
        return fail(device_changed(subject, now.error().what));
    }
    std::string_view before = text_;
    std::string_view after = now->text_;
    while (before != after) {
        const std::string_view was = before.substr(0, before.find('\n'));
        const std::string_view is = after.substr(0, after.find('\n'));
        if (was != is) {
            return fail(device_changed(subject, fmt::format("{} was {}", is, was)));
        }
        before.remove_prefix(std::min(was.size() + 1, before.size()));
        after.remove_prefix(std::min(is.size() + 1, after.size()));
    }
    return {};
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
