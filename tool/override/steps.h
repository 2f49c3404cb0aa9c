// Steps that write and the reads of lab override share.
#pragma once

#include <override/session.h>

namespace barscope::tool {

// A device with its map; a file is an error.
Result<Subject> open_device_subject(const Arguments& arguments);

// What must be the same before and after the user was asked.
class DeviceState {
  public:
    // As the subject has it; to be taken before anything of the device is opened.
    explicit DeviceState(const Subject& subject);
    // An error "device-changed" where something is different now, or the gate does not pass any more.
    Result<void> still_holds(const Subject& subject, const CaptureOptions& options, Place place) const;

  private:
    std::string text_; // everything that identifies it
};
Error device_changed(const Subject& subject, const std::string& what);

// "accesses" and "auditLog" of a document.
void write_accesses(JsonWriter& json, const Session& session);
// "audit log: entries 3 to 5 in FILE"
std::string audit_note(const Session& session);

} // namespace barscope::tool
