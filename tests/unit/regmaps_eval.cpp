// The evaluator against hand-computed values, and against a slow evaluator that walks a tree.
#include <catch2/catch.hpp>

#include <memory>
#include <random>

#include "regmaps_eval_map.h"
#include "regmaps_layout_device.h"

using namespace barscope::regmaps;
using test::EvalMap;
using Value = std::optional<std::uint64_t>;

namespace {

Code push(std::uint64_t v) {
    return {v, 0, Op::push, 0};
}
Code op(Op o, std::uint32_t ref = 0) {
    return {0, ref, o, 0};
}

// The value of one expression; R0 holds 5, R1 was not read.
Value value_of(const std::vector<Code>& codes) {
    EvalMap map(2);
    map.add_derived(codes);
    return map.evaluate({5, {}}).front();
}

const Code known = op(Op::reg, 0);
const Code unread = op(Op::reg, 1);

} // namespace

TEST_CASE("arithmetic is that of unsigned 64-bit values") {
    CHECK(value_of({push(3), push(5), op(Op::sub)}) == 0xfffffffffffffffe);
    CHECK(value_of({push(0xffffffffffffffff), push(2), op(Op::add)}) == 1U);
    CHECK(value_of({push(0x100000000), push(0x100000000), op(Op::mul)}) == 0U);
    CHECK(value_of({push(1), op(Op::neg)}) == 0xffffffffffffffff);
    CHECK(value_of({push(0), op(Op::bit_not)}) == 0xffffffffffffffff);
    CHECK(value_of({push(7), op(Op::logical_not)}) == 0U);
    CHECK(value_of({push(17), push(5), op(Op::mod)}) == 2U);
    CHECK(value_of({push(0xffffffffffffffff), push(1), op(Op::gt)}) == 1U);
}

TEST_CASE("a shift by 64 or more is 0") {
    CHECK(value_of({push(1), push(63), op(Op::shl)}) == 0x8000000000000000);
    CHECK(value_of({push(1), push(64), op(Op::shl)}) == 0U);
    CHECK(value_of({push(0xffffffffffffffff), push(64), op(Op::shr)}) == 0U);
    CHECK(value_of({push(1), push(0x100000001), op(Op::shl)}) == 0U);
}

TEST_CASE("division by zero is unknown") {
    CHECK_FALSE(value_of({push(1), push(0), op(Op::div)}));
    CHECK_FALSE(value_of({push(1), push(0), op(Op::mod)}));
}

TEST_CASE("unknown spreads through operators") {
    CHECK(value_of({known}) == 5U);
    CHECK_FALSE(value_of({unread}));
    CHECK_FALSE(value_of({unread, push(0), op(Op::mul)}));
    CHECK_FALSE(value_of({unread, unread, op(Op::eq)}));
    CHECK_FALSE(value_of({unread, op(Op::logical_not)}));
}

TEST_CASE("known tells a value from none") {
    CHECK(value_of({known, op(Op::known)}) == 1U);
    CHECK(value_of({unread, op(Op::known)}) == 0U);
    CHECK(value_of({push(1), push(0), op(Op::div), op(Op::known)}) == 0U);
}

TEST_CASE("an earlier pass is looked at where there was one") {
    // R0 + earlier(R0 + earlier(R0)) in the second of two passes: the pass before the first does not exist.
    EvalMap map(1);
    map.add_derived({op(Op::reg, 0), op(Op::earlier, 1), op(Op::reg, 0), op(Op::sub)});
    map.add_derived({op(Op::earlier, 2), op(Op::earlier, 1), op(Op::reg, 0)});
    map.add_derived({op(Op::earlier, 1), op(Op::derived, 3)}); // through a derived value
    map.add_derived({op(Op::reg, 0), push(1), op(Op::add)});
    CHECK_FALSE(map.evaluate({9}).front());
    const RegisterMap m = map.map();
    const auto layout = place_map(m, LayoutInputs{});
    REQUIRE(layout);
    const auto raw = [&](std::uint64_t value) {
        RawWords words;
        words.instances = layout->instances;
        words.words.resize(words.instances.size());
        words.words[0] = {.value = value, .status = barscope::safety::WordStatus::ok};
        return words;
    };
    const RawWords first = raw(4);
    const RawWords second = raw(9);
    const EarlierPass before{*layout, first};
    const Decoded decoded = decode(m, *layout, second, {}, &before);
    CHECK(decoded.derived[0].value == 5U);
    CHECK_FALSE(decoded.derived[1].value);
    CHECK(decoded.derived[2].value == 5U);
    CHECK(decoded.derived[3].value == 10U);
}

TEST_CASE("the side that decides a logical operator wins over unknown") {
    CHECK(value_of({push(0), op(Op::and_then, 1), unread}) == 0U);
    CHECK(value_of({unread, op(Op::and_then, 1), push(0)}) == 0U);
    CHECK_FALSE(value_of({push(1), op(Op::and_then, 1), unread}));
    CHECK_FALSE(value_of({unread, op(Op::and_then, 1), push(1)}));
    CHECK(value_of({push(4), op(Op::or_else, 1), unread}) == 1U);
    CHECK(value_of({unread, op(Op::or_else, 1), push(4)}) == 1U);
    CHECK_FALSE(value_of({push(0), op(Op::or_else, 1), unread}));
    CHECK(value_of({push(4), op(Op::and_then, 1), push(8)}) == 1U);
    CHECK(value_of({push(0), op(Op::or_else, 1), push(8)}) == 1U);
}

TEST_CASE("a choice needs only the branch that it takes") {
    CHECK(value_of({push(1), op(Op::branch, 2), known, op(Op::jump, 1), unread}) == 5U);
    CHECK_FALSE(value_of({push(0), op(Op::branch, 2), known, op(Op::jump, 1), unread}));
    CHECK(value_of({push(0), op(Op::branch, 2), unread, op(Op::jump, 1), known}) == 5U);
    CHECK_FALSE(value_of({unread, op(Op::branch, 2), push(1), op(Op::jump, 1), push(1)}));
}

TEST_CASE("code after a choice goes on with its value") {
    CHECK(value_of({push(0), op(Op::branch, 2), push(1), op(Op::jump, 1), push(10), push(2), op(Op::mul)}) ==
          20U);
}

TEST_CASE("fields are shifted down, 64 bits included") {
    EvalMap map(1);
    const Index high = map.add_field(0, 60, 63);
    const Index whole = map.add_field(0, 0, 63);
    map.add_derived({op(Op::field, high)});
    map.add_derived({op(Op::field, whole)});
    const auto values = map.evaluate({0xfedcba9876543211});
    CHECK(values[0] == 0xfU);
    CHECK(values[1] == 0xfedcba9876543211);
}

TEST_CASE("device properties and the presence of spaces are values") {
    EvalMap map(0);
    for (const auto p : {PciProperty::vendor, PciProperty::device, PciProperty::subsystem_vendor,
                         PciProperty::subsystem_device, PciProperty::class_code, PciProperty::revision,
                         PciProperty::is_vf}) {
        map.add_derived({op(Op::pci, static_cast<std::uint32_t>(p))});
    }
    map.add_derived({op(Op::present, 0)});
    map.add_derived({op(Op::present, 1)});
    const auto v = map.evaluate({}, {0x14e4, 0x1750, 0x14e5, 0x5045, 0x020000, 0x11, true});
    const std::vector<Value> right{0x14e4, 0x1750, 0x14e5, 0x5045, 0x020000, 0x11, 1, 1, 0};
    CHECK(v == right);
}

TEST_CASE("derived values may need others, defined before or after them") {
    EvalMap map(1);
    map.add_derived({op(Op::derived, 1), push(1), op(Op::add)});
    map.add_derived({known, push(2), op(Op::mul)});
    map.add_derived({op(Op::derived, 0), op(Op::derived, 1), op(Op::add)});
    CHECK(map.evaluate({20}) == std::vector<Value>{41, 40, 81});
}

TEST_CASE("derived values that need one another twice each take no time to speak of") {
    EvalMap map(1);
    map.add_derived({known});
    for (Index i = 1; i < 60; ++i) { // 2^60 evaluations where nothing is kept
        map.add_derived({op(Op::derived, i - 1), op(Op::derived, i - 1), op(Op::add)});
    }
    CHECK(map.evaluate({1}).back() == std::uint64_t{1} << 59);
}

TEST_CASE("malformed code is unknown, not a crash") {
    CHECK_FALSE(value_of({}));
    CHECK_FALSE(value_of({op(Op::add)}));
    CHECK_FALSE(value_of({push(1), op(Op::add)}));
    CHECK_FALSE(value_of({push(1), push(2)}));
    CHECK_FALSE(value_of({op(Op::jump, 7)}));
    CHECK_FALSE(value_of({push(1), op(Op::branch, 9), push(3)}));
    CHECK_FALSE(value_of({push(1), op(Op::and_then, 9)}));
    EvalMap cycle(0);
    cycle.add_derived({op(Op::derived, 1)});
    cycle.add_derived({op(Op::derived, 0)});
    CHECK(cycle.evaluate({}) == std::vector<Value>{{}, {}});
}

namespace {

// An expression as a tree, evaluated in the most obvious way.
struct Tree {
    Op op = Op::push;
    std::uint64_t value = 0;     // push
    std::uint32_t reference = 0; // reg
    std::vector<std::unique_ptr<Tree>> parts;
};

Value obvious(const Tree& t, const std::vector<Value>& registers) {
    const auto part = [&](std::size_t i) { return obvious(*t.parts[i], registers); };
    switch (t.op) {
    case Op::push:
        return t.value;
    case Op::reg:
        return registers[t.reference];
    case Op::and_then: {
        const Value a = part(0);
        const Value b = part(1);
        if (a == 0U || b == 0U) {
            return 0;
        }
        return a && b ? Value{1} : Value{};
    }
    case Op::or_else: {
        const Value a = part(0);
        const Value b = part(1);
        if ((a && *a) || (b && *b)) {
            return 1;
        }
        return a && b ? Value{0} : Value{};
    }
    case Op::branch: {
        const Value c = part(0);
        return !c ? Value{} : part(*c != 0 ? 1 : 2);
    }
    default:
        break;
    }
    const Value first = part(0);
    if (!first) {
        return {};
    }
    const std::uint64_t a = *first;
    if (t.parts.size() == 1) {
        return t.op == Op::bit_not ? ~a : t.op == Op::neg ? ~a + 1 : std::uint64_t{a == 0};
    }
    const Value second = part(1);
    if (!second) {
        return {};
    }
    const std::uint64_t b = *second;
    switch (t.op) {
    case Op::add:
        return a + b;
    case Op::sub:
        return a + ~b + 1;
    case Op::mul:
        return a * b;
    case Op::div:
        return b != 0 ? Value{a / b} : Value{};
    case Op::mod:
        return b != 0 ? Value{a - a / b * b} : Value{};
    case Op::shl: {
        std::uint64_t r = a;
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(b, 64); ++i) {
            r *= 2;
        }
        return r;
    }
    case Op::shr: {
        std::uint64_t r = a;
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(b, 64); ++i) {
            r /= 2;
        }
        return r;
    }
    case Op::bit_and:
        return a & b;
    case Op::bit_or:
        return a | b;
    case Op::bit_xor:
        return (a | b) - (a & b);
    case Op::eq:
        return a == b;
    case Op::ne:
        return a != b;
    case Op::lt:
        return a < b;
    case Op::le:
        return !(b < a);
    case Op::gt:
        return b < a;
    default:
        return !(a < b);
    }
}

void emit(const Tree& t, std::vector<Code>& out) {
    const auto sub = [&](std::size_t i) {
        std::vector<Code> codes;
        emit(*t.parts[i], codes);
        return codes;
    };
    const auto append = [&](const std::vector<Code>& codes) {
        out.insert(out.end(), codes.begin(), codes.end());
    };
    if (t.op == Op::push || t.op == Op::reg) {
        out.push_back({t.value, t.reference, t.op, 0});
        return;
    }
    emit(*t.parts[0], out);
    if (t.op == Op::and_then || t.op == Op::or_else) {
        const auto right = sub(1);
        out.push_back(op(t.op, static_cast<std::uint32_t>(right.size())));
        append(right);
    } else if (t.op == Op::branch) {
        const auto then_part = sub(1);
        const auto else_part = sub(2);
        out.push_back(op(Op::branch, static_cast<std::uint32_t>(then_part.size() + 1)));
        append(then_part);
        out.push_back(op(Op::jump, static_cast<std::uint32_t>(else_part.size())));
        append(else_part);
    } else {
        if (t.parts.size() == 2) {
            emit(*t.parts[1], out);
        }
        out.push_back(op(t.op));
    }
}

class Grower {
  public:
    explicit Grower(unsigned seed) : random_(seed) {}

    std::unique_ptr<Tree> grow(unsigned depth, std::uint32_t registers) {
        auto t = std::make_unique<Tree>();
        const unsigned kind = depth == 0 ? below(2) : below(12);
        std::size_t parts = 2;
        if (kind == 0) {
            t->value = constant();
            return t;
        }
        if (kind == 1) {
            t->op = Op::reg;
            t->reference = below(registers);
            return t;
        }
        if (kind == 2) {
            t->op = below(2) ? Op::and_then : Op::or_else;
        } else if (kind == 3) {
            t->op = Op::branch;
            parts = 3;
        } else if (kind == 4) {
            constexpr Op unary[] = {Op::bit_not, Op::neg, Op::logical_not};
            t->op = unary[below(3)];
            parts = 1;
        } else {
            constexpr Op binary[] = {Op::add, Op::sub,     Op::mul,    Op::div,     Op::mod, Op::shl,
                                     Op::shr, Op::bit_and, Op::bit_or, Op::bit_xor, Op::eq,  Op::ne,
                                     Op::lt,  Op::le,      Op::gt,     Op::ge};
            t->op = binary[below(16)];
        }
        for (std::size_t i = 0; i < parts; ++i) {
            t->parts.push_back(grow(depth - 1, registers));
        }
        return t;
    }

    // Small numbers, powers of two and their neighbours, anything.
    std::uint64_t constant() {
        switch (below(4)) {
        case 0:
            return below(4);
        case 1:
            return (std::uint64_t{1} << below(64)) - below(3);
        case 2:
            return below(100);
        default:
            return random_();
        }
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  private:
    std::mt19937_64 random_;
};

} // namespace

TEST_CASE("random expressions have the values of the obvious evaluator") {
    std::size_t known_values = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Grower grower(seed);
        EvalMap map(6);
        std::vector<Value> registers;
        for (int i = 0; i < 6; ++i) {
            registers.push_back(grower.below(4) == 0 ? Value{} : Value{grower.constant()});
        }
        std::vector<Value> right;
        for (int i = 0; i < 20; ++i) {
            const auto tree = grower.grow(1 + grower.below(6), 6);
            std::vector<Code> codes;
            emit(*tree, codes);
            map.add_derived(codes);
            right.push_back(obvious(*tree, registers));
            known_values += right.back() ? 1U : 0U;
        }
        INFO("seed " << seed);
        REQUIRE(map.evaluate(registers) == right);
    }
    CHECK(known_values > 1000); // neither all unknown ...
    CHECK(known_values < 5900); // ... nor all known
}

namespace {

struct Spelling {
    const char* text;
    int precedence; // C's: a higher number binds tighter
};

Spelling spelling(Op o) {
    switch (o) {
    case Op::or_else:
        return {"||", 2};
    case Op::and_then:
        return {"&&", 3};
    case Op::bit_or:
        return {"|", 4};
    case Op::bit_xor:
        return {"^", 5};
    case Op::bit_and:
        return {"&", 6};
    case Op::eq:
        return {"==", 7};
    case Op::ne:
        return {"!=", 7};
    case Op::lt:
        return {"<", 8};
    case Op::le:
        return {"<=", 8};
    case Op::gt:
        return {">", 8};
    case Op::ge:
        return {">=", 8};
    case Op::shl:
        return {"<<", 9};
    case Op::shr:
        return {">>", 9};
    case Op::add:
        return {"+", 10};
    case Op::sub:
        return {"-", 10};
    case Op::mul:
        return {"*", 11};
    case Op::div:
        return {"/", 11};
    case Op::mod:
        return {"%", 11};
    case Op::bit_not:
        return {"~", 12};
    case Op::neg:
        return {"-", 12};
    case Op::logical_not:
        return {"!", 12};
    default:
        return {"?", 1};
    }
}

// With no more parentheses than C needs, so that precedence and associativity are put to the test.
std::string written(const Tree& t, int around) {
    if (t.op == Op::push) {
        return std::to_string(t.value);
    }
    if (t.op == Op::reg) {
        return "R" + std::to_string(t.reference);
    }
    const auto [text, precedence] = spelling(t.op);
    std::string out;
    if (t.op == Op::branch) {
        out = written(*t.parts[0], 2) + " ? " + written(*t.parts[1], 1) + " : " + written(*t.parts[2], 1);
    } else if (t.parts.size() == 1) {
        out = text + written(*t.parts[0], precedence);
    } else {
        out = written(*t.parts[0], precedence) + " " + text + " " + written(*t.parts[1], precedence + 1);
    }
    return precedence < around ? "(" + out + ")" : out;
}

} // namespace

TEST_CASE("random expressions in a map's text have the values of the obvious evaluator") {
    for (unsigned seed = 0; seed < 40; ++seed) {
        Grower grower(seed);
        std::vector<Value> registers;
        std::string rest =
            R"("spaces": [{"name": "m", "bar": 0, "size": 64, "accessWidth": 64}], "registers": [)";
        for (int i = 0; i < 6; ++i) {
            registers.push_back(grower.below(4) == 0 ? Value{} : Value{grower.constant()});
            const std::string n = std::to_string(i);
            rest += std::string(i == 0 ? "" : ", ") + R"({"name": "R)" + n + R"(", "offset": )" +
                    std::to_string(8 * i) + R"(, "width": 64, "readAction": "none"})";
        }
        rest += R"(], "derived": [)";
        std::vector<Value> right;
        std::vector<std::string> texts;
        for (int i = 0; i < 20; ++i) {
            const auto tree = grower.grow(1 + grower.below(6), 6);
            texts.push_back(written(*tree, 0));
            rest += std::string(i == 0 ? "" : ", ") + R"({"name": "d)" + std::to_string(i) +
                    R"(", "value": ")" + texts.back() + "\"}";
            right.push_back(obvious(*tree, registers));
        }
        const RegisterMap map = test::load(rest + "]");
        test::TestDevice device;
        const Layout layout = device.must_place(map);
        for (const Instance& instance : layout.instances) {
            if (registers[instance.reg]) {
                device.values[instance_name(map, instance)] = *registers[instance.reg];
            }
        }
        const auto decoded = decode(map, layout, test::read_all(map, layout, device), {});
        for (std::size_t i = 0; i < right.size(); ++i) {
            INFO(texts[i]);
            REQUIRE(decoded.derived[i].value == right[i]);
        }
    }
}
