// A helper program, run with fixed arguments: no shell, an environment of our own, bounded time and output.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

struct ChildLimits {
    std::chrono::milliseconds time{10000};
    std::size_t output = std::size_t{64} << 20;
    int interrupt = -1; // when this file is readable, the program is ended early; -1: none
};

struct ChildOutput {
    int status = 0; // exit status
    std::string out, err;
};

// The path of a program of the system. Never by $PATH: root's may hold anything.
std::optional<std::string> find_program(std::string_view name);

// `program` is a path. A child that takes longer is killed with its own children and told as such, with what
// it had printed lost; one that hangs in the kernel and cannot be killed is left behind.
Result<ChildOutput> run_child(const std::string& program, const std::vector<std::string>& arguments,
                              const ChildLimits& limits = {});

} // namespace barscope::tool
