// Registers and fields that count, and indices of rings.
#pragma once

#include <evidence/compare_fields.h>
#include <evidence/counting.h>

namespace barscope::tool {

// Adds to Report::counters, findings, noise and worst.
void compare_register_counters(const Comparison& comparison, Report& report);

// Of each register of a map: whether anything in it counts.
std::vector<bool> counting_registers(const regmaps::RegisterMap& map);
std::string rate_text(double rate); // "2.5/s"

// How bad it is, and whether it is noise.
struct CountJudgement {
    Severity severity = Severity::notice;
    bool noise = false;
};
CountJudgement judge_counter(const Counted& counted, bool advanced, bool errors);
// "+5", "2.5/s", and what is to be said besides.
void tell_counted(const Counted& counted, const Readings& readings, const Elapsed& elapsed,
                  ReportCounter& out);

} // namespace barscope::tool
