// The one value that a write stores, and why some writes must not be made. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <audit/audit_entry.h>
#include <override/bits.h>
#include <safety/error.h>

namespace barscope::tool {

// What the user wants: a register, or one of its fields, to hold a value.
struct WriteWish {
    regmaps::Index reg = regmaps::none;
    regmaps::Index field = regmaps::none;
    std::string name;        // as it was named: "CTRL.SPEED"
    std::uint64_t value = 0; // of the field, or of the register
};

struct Change {
    std::uint64_t value = 0;      // what is stored
    std::uint64_t meant = 0;      // bits that the user means
    std::uint64_t acts = 0;       // bits that it acts on in another way than by keeping what was written
    std::uint64_t left_alone = 0; // bits that would act and are set, and are written so that they do not
    std::uint64_t kept = 0; // bits that must read back as written: the map says that nobody else changes them
    std::uint64_t compared = 0; // bits that should read back as written, but may change by themselves
    AuditUndo undo;
};

// What can be said without a value: a register or field that is only read, a value that is too wide.
Result<void> check_wish(const regmaps::RegisterMap& map, const WriteWish& wish);

// `old`: what the register holds; nothing: it is not readable without a side effect.
Result<Change> merge(const regmaps::RegisterMap& map, const WriteWish& wish, const RegisterBits& bits,
                     std::optional<std::uint64_t> old);

} // namespace barscope::tool
