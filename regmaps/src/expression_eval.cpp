#include "expression_eval.h"

#include <algorithm>
#include <span>
#include <vector>

#include "decode_bits.h"
#include "expression_operators.h"

namespace barscope::regmaps {

namespace {

using Value = std::optional<std::uint64_t>;

// Most expressions need a handful of slots; those of the deepest map still need no more machine stack.
class Stack {
  public:
    void push(Value value) {
        if (size_ < near_.size()) {
            near_[size_] = value;
        } else {
            far_.push_back(value);
        }
        ++size_;
    }
    Value pop() {
        if (size_ == 0) {
            return {}; // a malformed code range: unknown, never garbage
        }
        --size_;
        if (size_ < near_.size()) {
            return near_[size_];
        }
        const Value value = far_.back();
        far_.pop_back();
        return value;
    }
    std::size_t size() const { return size_; }

  private:
    std::array<Value, 16> near_{};
    std::vector<Value> far_;
    std::size_t size_ = 0;
};

std::uint64_t pci_property(const PciIdentity& pci, std::uint32_t which) {
    switch (static_cast<PciProperty>(which)) {
    case PciProperty::vendor:
        return pci.vendor;
    case PciProperty::device:
        return pci.device;
    case PciProperty::subsystem_vendor:
        return pci.subsystem_vendor;
    case PciProperty::subsystem_device:
        return pci.subsystem_device;
    case PciProperty::class_code:
        return pci.class_code;
    case PciProperty::revision:
        return pci.revision;
    case PciProperty::is_vf:
        return pci.is_vf ? 1 : 0;
    }
    return 0;
}

class Machine {
  public:
    Machine(const PciIdentity& pci, Scope& scope) : pci_(pci), scope_(scope) {}

    Value run(std::span<const Code> codes, unsigned nesting) {
        if (nesting > max_expression_nesting) {
            return {};
        }
        const std::size_t floor = stack_.size();
        for (std::size_t at = 0; at < codes.size(); ++at) {
            const Code& code = codes[at];
            switch (code.op) {
            case Op::and_then:
            case Op::or_else:
                stack_.push(logical(code, next(codes, at, code.ref), nesting));
                at += code.ref;
                break;
            case Op::branch:
                at += choose(codes, at, nesting);
                break;
            case Op::earlier:
                stack_.push(look_back(next(codes, at, code.ref), nesting));
                at += code.ref;
                break;
            case Op::jump:
                return {};
            default:
                step(code);
            }
        }
        return stack_.size() == floor + 1 ? stack_.pop() : Value{};
    }

  private:
    static std::span<const Code> next(std::span<const Code> codes, std::size_t at, std::size_t count) {
        const auto rest = codes.subspan(at + 1);
        return rest.first(std::min(count, rest.size()));
    }

    // The side that decides wins even where the other one is unknown.
    Value logical(const Code& code, std::span<const Code> right_codes, unsigned nesting) {
        const bool deciding = code.op == Op::or_else;
        const Value left = stack_.pop();
        if (left && (*left != 0) == deciding) {
            return deciding ? 1 : 0;
        }
        const Value right = run(right_codes, nesting + 1);
        if (right && (*right != 0) == deciding) {
            return deciding ? 1 : 0;
        }
        return left && right ? Value{deciding ? 0 : 1} : Value{};
    }

    Value look_back(std::span<const Code> codes, unsigned nesting) {
        scope_.look_back(true);
        const Value value = run(codes, nesting + 1);
        scope_.look_back(false);
        return value;
    }

    // Pushes the branch that is taken; returns how many codes both take up.
    std::size_t choose(std::span<const Code> codes, std::size_t at, unsigned nesting) {
        const auto then_part = next(codes, at, codes[at].ref);
        if (then_part.empty() || then_part.back().op != Op::jump) {
            stack_.push({});
            return then_part.size();
        }
        const auto else_part = next(codes, at + then_part.size(), then_part.back().ref);
        const Value condition = stack_.pop();
        if (!condition) {
            stack_.push({});
        } else if (*condition != 0) {
            stack_.push(run(then_part.first(then_part.size() - 1), nesting + 1));
        } else {
            stack_.push(run(else_part, nesting + 1));
        }
        return then_part.size() + else_part.size();
    }

    void step(const Code& code) {
        switch (code.op) {
        case Op::push:
            stack_.push(code.imm);
            break;
        case Op::reg:
        case Op::field:
            refer(code);
            break;
        case Op::derived:
            stack_.push(scope_.derived_value(code.ref));
            break;
        case Op::pci:
            stack_.push(pci_property(pci_, code.ref));
            break;
        case Op::counter:
            stack_.push(scope_.counter_value(code.ref));
            break;
        case Op::present:
            stack_.push(to_value(scope_.space_present(code.ref)));
            break;
        case Op::index:
            stack_.push(scope_.array_index(code.ref));
            break;
        case Op::own_field:
            stack_.push(scope_.own_field(code.ref));
            break;
        case Op::known:
            stack_.push(stack_.pop() ? 1 : 0);
            break;
        case Op::bit_not:
        case Op::neg:
        case Op::logical_not: {
            const Value a = stack_.pop();
            stack_.push(a ? apply_unary(code.op, *a) : Value{});
            break;
        }
        default:
            combine(code.op);
        }
    }

    void combine(Op op) {
        const Value b = stack_.pop();
        const Value a = stack_.pop();
        if (a && b && *b == 0 && (op == Op::div || op == Op::mod)) {
            scope_.divided_by_zero();
        }
        stack_.push(a && b ? apply_binary(op, *a, *b) : Value{});
    }

    void refer(const Code& code) {
        Indices at{};
        bool known = code.argument <= max_indices;
        for (unsigned i = code.argument; i > 0; --i) {
            const Value index = stack_.pop();
            known = known && index && *index <= UINT32_MAX;
            if (known) {
                at[i - 1] = static_cast<std::uint32_t>(*index);
            }
        }
        if (!known) {
            stack_.push({});
        } else {
            stack_.push(code.op == Op::reg ? scope_.register_value(code.ref, at)
                                           : scope_.field_value(code.ref, at));
        }
    }

    static Value to_value(std::optional<bool> b) { return b ? Value{*b ? 1 : 0} : Value{}; }

    const PciIdentity& pci_;
    Scope& scope_;
    Stack stack_;
};

} // namespace

std::optional<std::uint64_t> Scope::field_value(Index field, const Indices& at) {
    const Field& f = map_.fields[field];
    const auto whole = register_value(f.owner, at);
    return whole ? Value{bit_slice(*whole, f.lsb, f.msb)} : Value{};
}

std::optional<std::uint64_t> evaluate(const RegisterMap& map, const PciIdentity& pci, Index expression,
                                      Scope& scope) {
    const Range range = map.expressions[expression].code;
    const auto codes = map.codes.subspan(range.begin, range.count);
    if (codes.size() == 1 && codes.front().op == Op::push) {
        return codes.front().imm;
    }
    return Machine(pci, scope).run(codes, 0);
}

bool varies_by_element(const RegisterMap& map, Index expression) {
    const Range range = map.expressions[expression].code;
    const auto codes = map.codes.subspan(range.begin, range.count);
    return std::any_of(codes.begin(), codes.end(),
                       [](const Code& c) { return c.op == Op::index || c.op == Op::own_field; });
}

} // namespace barscope::regmaps
