// Constant folding on postfix code, and how much stack a piece of it needs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <regmaps/model.h>

namespace barscope::regmaps {

// Each takes code that ends with the operands, `start` being where the left (or only) one begins and `middle`
// where the right one (or the lazy operator's own code) does, and leaves the whole operation, folded where
// its operands allow it.
void fold_unary(std::vector<Code>& codes, std::size_t start, Op op);
void fold_known(std::vector<Code>& codes, std::size_t start);
void fold_binary(std::vector<Code>& codes, std::size_t start, std::size_t middle, Op op);
void fold_lazy(std::vector<Code>& codes, std::size_t start, std::size_t middle);
// `branch` and `jump` are the places of those codes.
void fold_branch(std::vector<Code>& codes, std::size_t start, std::size_t branch, std::size_t jump);

// Stack slots that evaluating the range takes, the largest of the ranges within it included.
std::size_t stack_needed(std::span<const Code> codes);

} // namespace barscope::regmaps
