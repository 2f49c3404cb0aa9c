// What lab override unlocks. Which of two sets of object files a program is linked with decides whether it is
// there: tool/override, or tool/override_absent, which has no code that opens a device for writing.
#pragma once

#include <optional>

#include <commands/context.h>

namespace barscope::tool {

bool has_lab_override();
Error no_lab_override();

Result<int> run_write(Context& context);
// Nothing where what is named needs no lab override, and is read as ever.
std::optional<Result<int>> run_override_read(Context& context);

} // namespace barscope::tool
