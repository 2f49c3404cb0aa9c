#pragma once

#include <string>

namespace barscope::tool {

// Below --root. Its folder is made when it is first needed, for its owner alone.
inline constexpr const char* default_audit_log = "/var/log/barscope/audit.jsonl";

} // namespace barscope::tool
