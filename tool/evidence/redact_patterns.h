// Identities that are not known beforehand, told by the words around them: serial numbers, users, hosts in
// the rows of saved logs, command lines, qualified names.
#pragma once

#include <string_view>

#include <evidence/redact_spans.h>

namespace barscope::tool {

// What replaces the rest of a row; qualified names and addresses of mail that others must not cut.
void find_command_lines(std::string_view text, RedactedSpans& spans);
void find_qualified_names(std::string_view text, RedactedSpans& spans);
void find_worded(std::string_view text, RedactedSpans& spans);
// IPv4 addresses; numbers of the same form that follow "version", "fw" and the like are versions.
void find_ipv4(std::string_view text, RedactedSpans& spans);

} // namespace barscope::tool
