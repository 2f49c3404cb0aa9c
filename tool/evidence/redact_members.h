// The JSON texts of a snapshot's members, redacted. What programs go by (names of members, statuses, kinds)
// stays.
#pragma once

#include <string>

#include <evidence/document.h>
#include <evidence/redact.h>

namespace barscope::tool {

// Learns from the members what else identifies (serial numbers that a collector was told).
void learn_from_context(const std::string& context, Redaction& redaction);

// `member` by its name; members without texts from outside stay as they are.
Result<void> redact_member(DocumentMember& member, Redaction& redaction);

} // namespace barscope::tool
