// What the operators of expressions mean, for the evaluator and for constants that are folded beforehand.
#pragma once

#include <cstdint>
#include <optional>

#include <regmaps/model.h>

namespace barscope::regmaps {

std::uint64_t apply_unary(Op op, std::uint64_t a);
// All arithmetic is modulo 2^64; nothing where it has no result (division by zero), and for other operators.
std::optional<std::uint64_t> apply_binary(Op op, std::uint64_t a, std::uint64_t b);

} // namespace barscope::regmaps
