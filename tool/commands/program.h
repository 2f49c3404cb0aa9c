#pragma once

namespace barscope::tool {

// The whole program: from the command line to the exit status.
int run_program(int argc, const char* const* argv);

} // namespace barscope::tool
