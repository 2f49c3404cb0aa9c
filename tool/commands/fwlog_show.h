// What fwlog prints of a log that it has opened.
#pragma once

#include <commands/context.h>
#include <logs/log_inputs.h>

namespace barscope::tool {

// Summary and records; the exit status is that of --fail-on, or of a source that could not be read to its
// end.
Result<int> show_log(Context& context, const LogInputs& inputs, const fwlog::Filter& filter);
// A core dump; bytes that are none are an error.
Result<int> show_log_bytes(Context& context, const LogInputs& inputs);

} // namespace barscope::tool
