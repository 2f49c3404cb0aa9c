// One word's fields, whatever the word belongs to.
#pragma once

#include <vector>

#include "expression_eval.h"
#include <regmaps/decode.h>

namespace barscope::regmaps {

// Index of the value's name in enum `enumeration`; none: no enum, or no such value in it.
Index find_enum_value(const RegisterMap& map, Index enumeration, std::uint64_t value);

DecodedField make_field(const RegisterMap& map, Index field, std::uint64_t value);

// Each contiguous range of bits outside `named`, below `width`, in which a bit is set; from the highest down.
void append_unnamed(std::uint64_t value, std::uint64_t named, unsigned width, std::uint32_t at,
                    std::vector<DecodedField>& out);

// As decode_fields(); `scope` answers the fields' conditions.
void append_register_fields(const RegisterMap& map, const PciIdentity& pci, const Register& reg,
                            std::uint64_t value, Scope& scope, std::vector<DecodedField>& out);

} // namespace barscope::regmaps
