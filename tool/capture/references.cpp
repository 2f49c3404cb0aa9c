#include <capture/references.h>

#include <algorithm>

namespace barscope::tool {

using regmaps::Code;
using regmaps::Index;
using regmaps::none;
using regmaps::Op;
using regmaps::RegisterMap;

namespace {

std::span<const Code> codes_of(const RegisterMap& map, Index expression) {
    const regmaps::Range range = map.expressions[expression].code;
    return map.codes.subspan(range.begin, range.count);
}

} // namespace

References::References(const RegisterMap& map)
    : map_(map), registers_(map.registers.size()), spaces_(map.spaces.size()), counters_(map.counters.size()),
      derived_(map.derived.size()) {}

void References::visit(Index expression) {
    if (expression == none) {
        return;
    }
    for (const Code& code : codes_of(map_, expression)) {
        if (code.op == Op::reg) {
            registers_[code.ref] = true;
        } else if (code.op == Op::field) {
            registers_[map_.fields[code.ref].owner] = true;
        } else if (code.op == Op::present) {
            spaces_[code.ref] = true;
        } else if (code.op == Op::counter) {
            counters_[code.ref] = true;
        } else if (code.op == Op::known) {
            asks_known_ = true;
        } else if (code.op == Op::derived && !derived_[code.ref]) {
            derived_[code.ref] = true;
            visit(map_.derived[code.ref].value);
            visit(map_.derived[code.ref].when);
        }
    }
}

Comparisons::Comparisons(const RegisterMap& map) : map_(map), seen_(map.derived.size()) {}

bool Comparisons::in(Index expression) {
    if (expression == none) {
        return false;
    }
    const auto codes = codes_of(map_, expression);
    return std::any_of(codes.begin(), codes.end(), [&](const Code& code) {
        return code.op == Op::earlier || (code.op == Op::derived && in_derived(code.ref));
    });
}

bool Comparisons::in_derived(Index derived) {
    if (seen_[derived]) {
        return false;
    }
    seen_[derived] = true;
    const bool found = in(map_.derived[derived].value) || in(map_.derived[derived].when);
    seen_[derived] = false;
    return found;
}

} // namespace barscope::tool
