// A window moved to a page and put back, whatever happens in between.
#pragma once

#include <functional>
#include <vector>

#include <override/session.h>

namespace barscope::tool {

// Another user of the window, a bound driver before all, finds it elsewhere meanwhile.
Result<void> check_driver(const Subject& subject, const regmaps::Space& space, bool with_driver,
                          const std::string& name);
// The select register can be read, written and put back.
Result<void> check_window(const Subject& subject, const Look& look, const Session& session);

// `look_again`: a look at the register behind the window. `work` gets the first one after the window was
// moved, and returns what it saw last. Messages that no error can carry go to the context.
using LookAgain = std::function<Result<Look>()>;
using WindowWork = std::function<Result<Look>(Look)>;
Result<void> through_window(const Subject& subject, Session& session, const Look& closed,
                            const LookAgain& look_again, const WindowWork& work,
                            std::vector<Error>& aftermath);
// Tells it; the exit status is then that of the first one, where all else went well.
int tell(Context& context, const std::vector<Error>& aftermath, int status);

} // namespace barscope::tool
