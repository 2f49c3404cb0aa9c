// A helper program under a time limit: a hung one is reported, never waited for.
#pragma once

#include <string>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

struct ChildOutput {
    int status = 0; // exit status; 128 + the signal where one ended it
    std::string out, err;
};

// Runs the program with LC_ALL=C and nothing on its standard input, and reads at most 16 MiB of its output.
// After `limit_ms` it is killed with its children; where even that does not end it (a call that hangs in the
// kernel) it is left behind. Causes: no-helper, helper-timeout, helper-failed.
Result<ChildOutput> run_child(const std::vector<std::string>& words, int limit_ms);

} // namespace barscope::tool
