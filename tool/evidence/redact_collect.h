// What identifies this machine, as its kernel and its settings tell it. Reads files only; asks no device.
#pragma once

#include <string>

#include <evidence/redact_known.h>
#include <safety/gate.h>

namespace barscope::tool {

// `root_path`: as given with --root.
void collect_identities(const safety::SystemRoot& root, const std::string& root_path, KnownIdentities& known);

} // namespace barscope::tool
