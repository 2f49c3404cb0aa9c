// Registers whose status or configuration changed; counters and indices are told elsewhere.
#pragma once

#include <evidence/compare_fields.h>

namespace barscope::tool {

// Adds to Report::registers, findings, noise and worst.
void compare_registers(const Comparison& comparison, Report& report);
// Every register, changed or not, into Report::tree.
void fill_tree(const Comparison& comparison, Report& report);

// A register of both, changed or not.
ReportRegister told_pair(const Comparison& comparison, Pair pair);
// A register of one snapshot alone, as AFTER.
ReportRegister told_register(const Side& side, regmaps::Index position);
// The worst of its fields' values.
Severity severity_of_register(const Side& side, regmaps::Index position);

// "0x8000 READY": a field's value with its enum's name. `field`: of decoded fields.
std::string text_of_field(const regmaps::RegisterMap& map, const regmaps::DecodedField& field);
// "0x00008001": all digits.
std::string hex_text(std::uint64_t value, unsigned bits);
// Name, place, title and group; no values yet.
ReportRegister head_of_register(const Side& side, regmaps::Index position);

} // namespace barscope::tool
