// Expressions to code: precedence, folding, laziness. Right values are C's.
#include <catch2/catch.hpp>

#include <random>
#include <string>

#include "expression_parser.h"
#include "expression_parser_fold.h"
#include "expression_parser_number.h"

using namespace barscope::regmaps;

namespace {

// Registers a to e with index 0 to 4, one array "arr" (5), one derived value "der".
class Names : public ExpressionNames {
  public:
    Symbol find(std::string_view name) const override {
        if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'e') {
            return {Symbol::Kind::reg, static_cast<Index>(name[0] - 'a')};
        }
        if (name == "arr") {
            return {Symbol::Kind::reg, 5};
        }
        if (name == "cnt") {
            return {Symbol::Kind::counter, 0};
        }
        return name == "der" ? Symbol{Symbol::Kind::derived, 0} : Symbol{};
    }
    Symbol find_in_block(Index, std::string_view) const override { return {}; }
    Index find_field(Index, std::string_view name) const override { return name == "f" ? 7 : none; }
    Index find_space(std::string_view name) const override { return name == "s" ? 3 : none; }
    bool is_array(Symbol symbol) const override {
        return symbol.kind == Symbol::Kind::reg && symbol.index == 5;
    }
    std::string suggest(std::string_view, Symbol) const override { return "hint"; }
};

std::vector<Code> compile(const std::string& text) {
    std::vector<Code> codes;
    const auto error = compile_expression(text, Names(), codes);
    INFO(text);
    INFO((error ? error->what : std::string()));
    REQUIRE_FALSE(error.has_value());
    return codes;
}

const char* const op_names[] = {"push", "reg", "field", "der", "pci",  "count",   "present", "index", "own",
                                "+",    "-",   "*",     "/",   "%",    "<<",      ">>",      "&",     "|",
                                "^",    "~",   "neg",   "!",   "==",   "!=",      "<",       "<=",    ">",
                                ">=",   "&&",  "||",    "?",   "jump", "earlier", "known"};

// "a b 3 * +"; lazy operators and jumps with how many codes they own.
std::string text_of_code(const std::string& text) {
    std::string out;
    for (const Code& code : compile(text)) {
        out += out.empty() ? "" : " ";
        if (code.op == Op::push) {
            out += std::to_string(code.imm);
        } else if (code.op == Op::reg) {
            out += code.ref == 5 ? "arr" : std::string(1, static_cast<char>('a' + code.ref));
            out += code.argument > 0 ? "[]" : "";
        } else {
            out += op_names[static_cast<std::size_t>(code.op)];
            if (code.op >= Op::and_then && code.op != Op::known) {
                out += "(" + std::to_string(code.ref) + ")";
            }
        }
    }
    return out;
}

std::uint64_t folded(const std::string& text) {
    const std::vector<Code> codes = compile(text);
    INFO(text);
    REQUIRE(codes.size() == 1);
    REQUIRE(codes[0].op == Op::push);
    return codes[0].imm;
}

} // namespace

TEST_CASE("precedence and associativity are C's") {
    CHECK(text_of_code("a + b * c") == "a b c * +");
    CHECK(text_of_code("(a + b) * c") == "a b + c *");
    CHECK(text_of_code("a - b - c") == "a b - c -");
    CHECK(text_of_code("a << b + c") == "a b c + <<");
    CHECK(text_of_code("a & b == c") == "a b c == &");
    CHECK(text_of_code("a | b ^ c & d") == "a b c d & ^ |");
    CHECK(text_of_code("a < b == c > d") == "a b < c d > ==");
    CHECK(text_of_code("a % b / c") == "a b % c /");
    CHECK(text_of_code("!a == b") == "a ! b ==");
    CHECK(text_of_code("~-a") == "a neg ~");
    CHECK(text_of_code("a!=b") == "a b !=");
    CHECK(text_of_code("a<=b>>c") == "a b c >> <=");
    CHECK(text_of_code("arr[a + 1] + b.f") == "a 1 + arr[] field +");
    CHECK(text_of_code("der + pci.device + present(s)") == "der pci + present +");
}

TEST_CASE("known() and previous() take whole expressions") {
    CHECK(text_of_code("known(a)") == "a known");
    CHECK(text_of_code("known(a + b) && c") == "a b + known &&(1) c");
    CHECK(text_of_code("known(7)") == "1");
    CHECK(text_of_code("known(1 / 0)") == "1 0 / known");
    CHECK(text_of_code("a != previous(a)") == "a earlier(1) a !=");
    CHECK(text_of_code("previous(a.f) + 1") == "earlier(1) field 1 +");
    CHECK(text_of_code("cnt <= previous(cnt)") == "count earlier(1) count <=");
    std::vector<Code> codes;
    for (const char* bad : {"known(", "known(a", "known()", "previous(a", "previous()", "known"}) {
        INFO(bad);
        CHECK(compile_expression(bad, Names(), codes).has_value());
    }
}

TEST_CASE("lazy operators own the code of their right side") {
    CHECK(text_of_code("a && b") == "a &&(1) b");
    CHECK(text_of_code("a && b + c && d") == "a &&(3) b c + &&(1) d");
    CHECK(text_of_code("a || b && c") == "a ||(3) b &&(1) c");
    CHECK(text_of_code("a ? b : c") == "a ?(2) b jump(1) c");
    CHECK(text_of_code("a ? b + 1 : c ? d : e") == "a ?(4) b 1 + jump(5) c ?(2) d jump(1) e");
    CHECK(text_of_code("a || b ? c : d") == "a ||(1) b ?(2) c jump(1) d");
}

TEST_CASE("constants are folded") {
    CHECK(folded("1 + 2 * 3") == 7);
    CHECK(folded("4 << 2") == 16);
    CHECK(folded("1 << 64") == 0);
    CHECK(folded("1 << 63 >> 63") == 1);
    CHECK(folded("1 >> 64") == 0);
    CHECK(folded("0 - 1") == 0xffffffffffffffff);
    CHECK(folded("-1") == 0xffffffffffffffff);
    CHECK(folded("~0") == 0xffffffffffffffff);
    CHECK(folded("!5") == 0);
    CHECK(folded("7 / 2") == 3);
    CHECK(folded("7 % 4") == 3);
    CHECK(folded("0x10 | 0b11") == 19);
    CHECK(folded("1 ? 2 : a") == 2);
    CHECK(folded("0 ? a : 3") == 3);
    CHECK(folded("0 && a") == 0);
    CHECK(folded("2 || a") == 1);
    CHECK(folded("2 && 3") == 1);
    CHECK(folded("0 || 4") == 1);
    CHECK(folded("0xffffffffffffffff + 1") == 0);
    CHECK(text_of_code("2 && a") == "a 0 !=");
    CHECK(text_of_code("0 || a + b") == "a b + 0 !=");
    CHECK(text_of_code("1 ? a : b") == "a");
    CHECK(text_of_code("0 ? a : b && c") == "b &&(1) c");
    // Unknown stays for the evaluator to say.
    CHECK(text_of_code("1 / 0") == "1 0 /");
    CHECK(text_of_code("1 % (2 - 2)") == "1 0 %");
    // A constant at the end of a longer operand is not that operand.
    CHECK(text_of_code("(a && 1) + 2") == "a &&(1) 1 2 +");
    CHECK(text_of_code("(a ? b : 1) + 2") == "a ?(2) b jump(1) 1 2 +");
    CHECK(text_of_code("-(a || 1)") == "a ||(1) 1 neg");
}

TEST_CASE("numbers in all spellings") {
    std::uint64_t value = 0;
    CHECK(parse_number("18446744073709551615", value) == NumberProblem::fine);
    CHECK(value == 0xffffffffffffffff);
    CHECK(parse_number("0xFfFfFfFfFfFfFfFf", value) == NumberProblem::fine);
    CHECK(value == 0xffffffffffffffff);
    CHECK(parse_number("0", value) == NumberProblem::fine);
    CHECK(value == 0);
    CHECK(parse_number("18446744073709551616", value) == NumberProblem::too_large);
    CHECK(parse_number("0x1ffffffffffffffff", value) == NumberProblem::too_large);
    CHECK(parse_number("00", value) == NumberProblem::leading_zero);
    for (const char* text :
         {"", "x", "0x", "0b", "0b2", "0xg", "1 ", " 1", "-1", "+1", "1.0", "1e3", "0x-1", "1_000"}) {
        INFO(text);
        CHECK(parse_number(text, value) == NumberProblem::malformed);
    }
}

TEST_CASE("an error leaves the code as it was") {
    std::vector<Code> codes = {{1, 0, Op::push, 0}};
    const auto error = compile_expression("a + b * nothing", Names(), codes);
    REQUIRE(error.has_value());
    CHECK(error->at == 8);
    CHECK(error->remedy == "hint");
    CHECK(codes.size() == 1);
}

TEST_CASE("the stack that code needs is what it says") {
    CHECK(stack_needed(compile("a")) == 1);
    CHECK(stack_needed(compile("a + b + c + d")) == 2);
    CHECK(stack_needed(compile("a + (b + (c + d))")) == 4);
    CHECK(stack_needed(compile("arr[a + b]")) == 2);
    CHECK(stack_needed(compile("a && b + (c + d)")) == 3);
    CHECK(stack_needed(compile("a ? b + (c + d) : 1")) == 3);
}

TEST_CASE("any text compiles or is refused, with the error inside of it") {
    std::mt19937 random(3);
    const std::vector<std::string> pieces = {
        "a",  "b",  "arr", "[",  "]",    "(",  ")",   "+", "-", "!",   "~",       "?", ":", "&&",
        "||", "<<", ">=",  "==", "0x1f", "12", "der", ".", "f", "pci", "present", "s", " ", "$"};
    std::size_t good = 0;
    for (int round = 0; round < 50000; ++round) {
        std::string text;
        for (std::size_t n = 1 + random() % 9; n > 0; --n) {
            text += pieces[random() % pieces.size()];
        }
        std::vector<Code> codes;
        const auto error = compile_expression(text, Names(), codes);
        if (error) {
            CHECK(error->at <= text.size());
            CHECK_FALSE(error->what.empty());
            CHECK(codes.empty());
        } else {
            ++good;
            CHECK(stack_needed(codes) >= 1);
        }
    }
    CHECK(good > 500);
}
