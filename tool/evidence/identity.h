// Who a snapshot is of, and what makes two of them hard to compare.
#pragma once

#include <map>
#include <string>

#include <evidence/evidence.h>

namespace barscope::tool {

ReportSubject report_subject(const Evidence& evidence);

// Of one snapshot: who it is, into Report::identity; an edited or unsealed file into Report::warnings.
void describe_identity(const Evidence& one, Report& report);
// Of two: what differs, each with a warning; and the state of both files.
void compare_identity(const Evidence& before, const Evidence& after, Report& report);

// What machines of one kind have in common: ids, firmware, driver, module parameters, link, map; not who they
// are.
std::map<std::string, std::string> common_traits(const Snapshot& snapshot);

} // namespace barscope::tool
