// The audit log as it is written: append-only, one writer at a time, on disk before the device is touched.
#pragma once

#include <memory>
#include <string>

#include <audit/audit_entry.h>
#include <override/file_calls.h>
#include <safety/error.h>
#include <safety/policy.h>

namespace barscope::tool {

struct AuditPlace {
    std::string path;
    bool make_folder = false; // the default place: its folder is made where it is missing
};

class AuditLog {
  public:
    static Result<AuditLog> open(const safety::LabOverride& proof, const AuditPlace& place,
                                 std::shared_ptr<FileCalls> calls = std::make_shared<FileCalls>());

    // Gives the entry its id and time, appends it as one line and syncs it to disk. `operation` of 0 becomes
    // the id. An error means that the device must not be touched.
    Result<void> intend(AuditEntry& entry);
    // The same access's second line.
    Result<void> conclude(AuditEntry& entry);
    const std::string& path() const { return path_; }

  private:
    AuditLog(std::shared_ptr<FileCalls> calls, std::string path, FileHandle file)
        : calls_(std::move(calls)), path_(std::move(path)), file_(std::move(file)) {}
    Result<void> append(AuditEntry& entry, bool fresh_id);
    Error cannot(std::string_view step, int error) const;

    std::shared_ptr<FileCalls> calls_;
    std::string path_;
    FileHandle file_;
};

} // namespace barscope::tool
