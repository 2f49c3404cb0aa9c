#include "expression_operators.h"

namespace barscope::regmaps {

std::uint64_t apply_unary(Op op, std::uint64_t a) {
    switch (op) {
    case Op::bit_not:
        return ~a;
    case Op::neg:
        return 0 - a;
    default:
        return a == 0 ? 1 : 0;
    }
}

std::optional<std::uint64_t> apply_binary(Op op, std::uint64_t a, std::uint64_t b) {
    switch (op) {
    case Op::add:
        return a + b;
    case Op::sub:
        return a - b;
    case Op::mul:
        return a * b;
    case Op::div:
        return b == 0 ? std::nullopt : std::optional(a / b);
    case Op::mod:
        return b == 0 ? std::nullopt : std::optional(a % b);
    case Op::shl:
        return b >= 64 ? 0 : a << b;
    case Op::shr:
        return b >= 64 ? 0 : a >> b;
    case Op::bit_and:
        return a & b;
    case Op::bit_or:
        return a | b;
    case Op::bit_xor:
        return a ^ b;
    case Op::eq:
        return a == b ? 1 : 0;
    case Op::ne:
        return a != b ? 1 : 0;
    case Op::lt:
        return a < b ? 1 : 0;
    case Op::le:
        return a <= b ? 1 : 0;
    case Op::gt:
        return a > b ? 1 : 0;
    case Op::ge:
        return a >= b ? 1 : 0;
    default:
        return {};
    }
}

} // namespace barscope::regmaps
