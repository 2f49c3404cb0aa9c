// The last question before a device is written to.
#pragma once

#include <string>

#include <safety/error.h>
#include <safety/gate.h>

namespace barscope::tool {

// Shows the plan on standard error and waits for the device's address. Without a terminal nobody can be
// asked: that is a refusal, unless --yes has answered already.
Result<void> confirm(const std::string& plan, const safety::PciAddress& address, bool yes);

} // namespace barscope::tool
