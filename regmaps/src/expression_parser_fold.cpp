#include "expression_parser_fold.h"

#include <algorithm>
#include <optional>

#include "expression_operators.h"

namespace barscope::regmaps {

namespace {

std::optional<std::uint64_t> constant(const std::vector<Code>& codes, std::size_t begin, std::size_t end) {
    // A single push is the whole operand; a push at the end of a longer range may belong to a lazy operator.
    if (end - begin == 1 && codes[begin].op == Op::push) {
        return codes[begin].imm;
    }
    return std::nullopt;
}

Code push(std::uint64_t value) {
    return {value, 0, Op::push, 0};
}

void erase(std::vector<Code>& codes, std::size_t begin, std::size_t end) {
    codes.erase(codes.begin() + static_cast<std::ptrdiff_t>(begin),
                codes.begin() + static_cast<std::ptrdiff_t>(end));
}

} // namespace

void fold_unary(std::vector<Code>& codes, std::size_t start, Op op) {
    if (const auto value = constant(codes, start, codes.size())) {
        codes.back() = push(apply_unary(op, *value));
    } else {
        codes.push_back({0, 0, op, 0});
    }
}

void fold_known(std::vector<Code>& codes, std::size_t start) {
    if (constant(codes, start, codes.size())) {
        codes.back() = push(1);
    } else {
        codes.push_back({0, 0, Op::known, 0});
    }
}

void fold_binary(std::vector<Code>& codes, std::size_t start, std::size_t middle, Op op) {
    const auto left = constant(codes, start, middle);
    const auto right = constant(codes, middle, codes.size());
    if (left && right) {
        if (const auto value = apply_binary(op, *left, *right)) {
            codes.resize(start);
            codes.push_back(push(*value));
            return;
        }
    }
    codes.push_back({0, 0, op, 0});
}

void fold_lazy(std::vector<Code>& codes, std::size_t start, std::size_t middle) {
    const bool is_and = codes[middle].op == Op::and_then;
    codes[middle].ref = static_cast<std::uint32_t>(codes.size() - middle - 1);
    const auto left = constant(codes, start, middle);
    if (!left) {
        return;
    }
    if (is_and == (*left == 0)) { // the left side decides
        codes.resize(start);
        codes.push_back(push(is_and ? 0 : 1));
        return;
    }
    erase(codes, start, middle + 1); // what remains is bool(right)
    const std::size_t not_equal = codes.size();
    codes.push_back(push(0));
    fold_binary(codes, start, not_equal, Op::ne);
}

void fold_branch(std::vector<Code>& codes, std::size_t start, std::size_t branch, std::size_t jump) {
    codes[branch].ref = static_cast<std::uint32_t>(jump - branch);
    codes[jump].ref = static_cast<std::uint32_t>(codes.size() - jump - 1);
    const auto condition = constant(codes, start, branch);
    if (!condition) {
        return;
    }
    if (*condition != 0) {
        codes.resize(jump);
        erase(codes, start, branch + 1);
    } else {
        erase(codes, start, jump + 1);
    }
}

std::size_t stack_needed(std::span<const Code> codes) {
    std::size_t depth = 0;
    std::size_t most = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const Code& code = codes[i];
        switch (code.op) {
        case Op::push:
        case Op::derived:
        case Op::counter:
        case Op::pci:
        case Op::present:
        case Op::index:
        case Op::own_field:
            ++depth;
            break;
        case Op::reg:
        case Op::field:
            depth = depth + 1 - code.argument;
            break;
        case Op::bit_not:
        case Op::neg:
        case Op::logical_not:
        case Op::known:
            break;
        case Op::earlier:
            most = std::max(most, stack_needed(codes.subspan(i + 1, code.ref)));
            ++depth;
            i += code.ref;
            break;
        case Op::and_then:
        case Op::or_else:
            most = std::max(most, stack_needed(codes.subspan(i + 1, code.ref)));
            i += code.ref;
            break;
        case Op::branch: {
            const std::size_t jump = i + code.ref;
            most = std::max(most, stack_needed(codes.subspan(i + 1, code.ref - 1)));
            most = std::max(most, stack_needed(codes.subspan(jump + 1, codes[jump].ref)));
            i = jump + codes[jump].ref;
            break;
        }
        default:
            --depth;
            break;
        }
        most = std::max(most, depth);
    }
    return most;
}

} // namespace barscope::regmaps
