// What each command is called and does, once for help, parsing and "did you mean".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <commands/arguments.h>

namespace barscope::tool {

std::optional<Command> find_command(std::string_view name);
std::string_view command_name(Command command);
std::string_view command_summary(Command command);
// Of `barscope`, `barscope --help` and `barscope help`.
std::string overview();
// For a name that is no command.
Error unknown_command(std::string_view name);

} // namespace barscope::tool
