// A helper program, run with fixed arguments: no shell, an environment of our own, bounded time and output.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

struct ChildLimits {
    std::chrono::milliseconds time{10000};
    std::size_t output = std::size_t{64} << 20;
};

struct ChildOutput {
    int status = 0; // exit status
    std::string out, err;
};

// `program` is a path. A child that takes longer is killed and told as such, with what it had printed lost.
Result<ChildOutput> run_child(const std::string& program, const std::vector<std::string>& arguments,
                              const ChildLimits& limits = {});

} // namespace barscope::tool
