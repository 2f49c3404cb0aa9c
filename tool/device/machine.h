// What a machine allows and offers: what `doctor` tells. Looks only; starts nothing.
#pragma once

#include <string>
#include <vector>

#include <safety/gate.h>

namespace barscope::tool {

enum class Finding { good, note, obstacle };

struct MachineFact {
    std::string subject; // "privilege", "lockdown", ...
    Finding finding = Finding::note;
    std::string seen;    // what was found, and where
    std::string meaning; // what follows from it for reading BARs; may be empty
};

std::vector<MachineFact> examine_machine(const safety::SystemRoot& root);

} // namespace barscope::tool
