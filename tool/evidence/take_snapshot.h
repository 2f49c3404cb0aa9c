// A snapshot of a live device, from the first load to the document.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <capture/capture.h>
#include <capture/watch.h>
#include <evidence/document.h>
#include <evidence/redact_key.h>

namespace barscope::tool {

struct SnapshotOptions {
    std::string label;
    unsigned passes = 2;
    std::uint32_t interval_ms = 500; // between them
    bool logs = true, context = true;
    std::optional<RedactionKey> redact;               // with this key; nothing: as it is
    std::string map;                                  // as given with --map
    std::function<void(const std::string&)> progress; // before each step
    Watch* watch = nullptr;                           // who ends it early; null: nobody
};

struct TakenSnapshot {
    std::vector<DocumentMember> members;
    std::vector<Capture> passes;  // as they were read
    std::optional<Error> refusal; // nothing at all could be read
    std::string stopped;          // it is no whole because of this; empty: it is one
    std::uint64_t
        words = 0,
        unread = 0; // of the last pass: asked for; those that have no value and were not to be left alone
    std::vector<Error> failures; // collectors and logs that failed
};

// Whatever fails on the way is told within the document.
Result<TakenSnapshot> take_snapshot(const Subject& subject, const CaptureOptions& capture,
                                    const SnapshotOptions& options);

} // namespace barscope::tool
