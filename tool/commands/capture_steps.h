// Steps that read, dump and check share.
#pragma once

#include <capture/capture.h>
#include <commands/context.h>

namespace barscope::tool {

SubjectOptions subject_options(const Arguments& arguments);
// A usage error where an option says something that cannot be done with this subject.
Result<void> check_options(const Subject& subject, const CaptureOptions& options);
// What went wrong beside the answer, for standard error.
void warn_about(Context& context, const Subject& subject, const Capture& capture);

} // namespace barscope::tool
