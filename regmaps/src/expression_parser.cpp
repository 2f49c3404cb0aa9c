#include "expression_parser.h"

#include <array>

#include <fmt/format.h>

#include "expression_parser_fold.h"
#include "expression_parser_number.h"

namespace barscope::regmaps {

namespace {

struct BinaryOperator {
    std::string_view text;
    Op op;
    int precedence; // higher binds tighter
};

// Longer ones first: the first that fits is taken.
constexpr std::array<BinaryOperator, 18> operators = {{
    {"||", Op::or_else, 1},
    {"&&", Op::and_then, 2},
    {"==", Op::eq, 6},
    {"!=", Op::ne, 6},
    {"<<", Op::shl, 8},
    {">>", Op::shr, 8},
    {"<=", Op::le, 7},
    {">=", Op::ge, 7},
    {"|", Op::bit_or, 3},
    {"^", Op::bit_xor, 4},
    {"&", Op::bit_and, 5},
    {"<", Op::lt, 7},
    {">", Op::gt, 7},
    {"+", Op::add, 9},
    {"-", Op::sub, 9},
    {"*", Op::mul, 10},
    {"/", Op::div, 10},
    {"%", Op::mod, 10},
}};

constexpr std::array<std::pair<std::string_view, PciProperty>, 7> pci_properties = {{
    {"vendor", PciProperty::vendor},
    {"device", PciProperty::device},
    {"subsystemVendor", PciProperty::subsystem_vendor},
    {"subsystemDevice", PciProperty::subsystem_device},
    {"class", PciProperty::class_code},
    {"revision", PciProperty::revision},
    {"isVf", PciProperty::is_vf},
}};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class Parser {
  public:
    Parser(std::string_view text, const ExpressionNames& names, std::vector<Code>& codes)
        : text_(text), names_(names), codes_(codes) {}

    bool run() {
        if (text_.size() > max_expression_text) {
            return fail(0, fmt::format("an expression of more than {} characters", max_expression_text));
        }
        const std::size_t start = codes_.size();
        if (!parse_conditional()) {
            return false;
        }
        skip_space();
        if (at_ != text_.size()) {
            return fail(at_, fmt::format("unexpected {} behind the expression", rest()));
        }
        return stack_needed({codes_.data() + start, codes_.size() - start}) <= max_expression_stack ||
               fail(0, "an expression with too many open operands", "split it into derived values");
    }

    ExpressionError error;

  private:
    // Guards the recursion: parentheses, indices, unary operators and conditionals.
    class Nesting {
      public:
        explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
        ~Nesting() { --parser_.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        bool ok() const {
            return parser_.nesting_ <= max_nesting ||
                   parser_.fail(parser_.at_, "an expression that nests too deeply",
                                "split it into derived values");
        }

      private:
        static constexpr unsigned max_nesting = 48;
        Parser& parser_;
    };

    bool parse_conditional() {
        const Nesting nesting(*this);
        if (!nesting.ok()) {
            return false;
        }
        const std::size_t start = codes_.size();
        if (!parse_binary(1)) {
            return false;
        }
        if (!take("?")) {
            return true;
        }
        const std::size_t branch = codes_.size();
        codes_.push_back({0, 0, Op::branch, 0});
        if (!parse_conditional()) {
            return false;
        }
        const std::size_t jump = codes_.size();
        codes_.push_back({0, 0, Op::jump, 0});
        if (!take(":")) {
            return fail_here("expected : and what the value is otherwise");
        }
        if (!parse_conditional()) {
            return false;
        }
        fold_branch(codes_, start, branch, jump);
        return true;
    }

    bool parse_binary(int lowest) {
        const std::size_t start = codes_.size();
        if (!parse_unary()) {
            return false;
        }
        while (const BinaryOperator* const op = peek_operator(lowest)) {
            at_ += op->text.size();
            const bool lazy = op->op == Op::and_then || op->op == Op::or_else;
            const std::size_t middle = codes_.size();
            if (lazy) {
                codes_.push_back({0, 0, op->op, 0});
            }
            if (!parse_binary(op->precedence + 1)) {
                return false;
            }
            if (lazy) {
                fold_lazy(codes_, start, middle);
            } else {
                fold_binary(codes_, start, middle, op->op);
            }
        }
        return true;
    }

    const BinaryOperator* peek_operator(int lowest) {
        skip_space();
        const std::string_view left = text_.substr(at_);
        for (const BinaryOperator& op : operators) {
            if (left.starts_with(op.text)) {
                return op.precedence >= lowest ? &op : nullptr;
            }
        }
        return nullptr;
    }

    bool parse_unary() {
        const Nesting nesting(*this);
        if (!nesting.ok()) {
            return false;
        }
        skip_space();
        const char c = peek();
        const bool is_operator = c == '~' || c == '-' || (c == '!' && !text_.substr(at_).starts_with("!="));
        if (!is_operator) {
            return parse_primary();
        }
        ++at_;
        const std::size_t start = codes_.size();
        if (!parse_unary()) {
            return false;
        }
        fold_unary(codes_, start, c == '~' ? Op::bit_not : c == '-' ? Op::neg : Op::logical_not);
        return true;
    }

    bool parse_primary() {
        const char c = peek();
        if (c == '(') {
            ++at_;
            return parse_conditional() && (take(")") || fail_here("expected )"));
        }
        if (is_digit(c)) {
            return parse_literal();
        }
        if (is_letter(c)) {
            return parse_reference();
        }
        return fail_here("expected a number, a name or (");
    }

    bool parse_literal() {
        const std::size_t start = at_;
        while (is_letter(peek()) || is_digit(peek())) {
            ++at_;
        }
        const std::string_view literal = text_.substr(start, at_ - start);
        Code code;
        const NumberProblem problem = parse_number(literal, code.imm);
        if (problem != NumberProblem::fine) {
            return fail(start, fmt::format("\"{}\" {}", literal, describe(problem)));
        }
        codes_.push_back(code);
        return true;
    }

    // ---- names ----

    std::string_view take_word() {
        const std::size_t start = at_;
        while (is_letter(peek()) || is_digit(peek())) {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }

    // NAME, NAME[i], BLOCK[i].NAME[j].FIELD, pci.NAME, present(SPACE), known(EXPR), previous(EXPR)
    bool parse_reference() {
        const std::size_t start = at_;
        const std::string_view name = take_word();
        if (name == "pci" && take(".")) {
            return parse_pci();
        }
        if (name == "present" && take("(")) {
            return parse_present();
        }
        if (name == "known" && take("(")) {
            return parse_known();
        }
        if (name == "previous" && take("(")) {
            return parse_previous();
        }
        Symbol symbol = names_.find(name);
        unsigned indices = 0;
        if (!parse_indices(symbol, start, name, indices)) {
            return false;
        }
        while (symbol.kind == Symbol::Kind::block) {
            if (!take(".")) {
                return fail(start, fmt::format("\"{}\" is a block, not a value", name),
                            "name a register in it");
            }
            skip_space();
            const std::size_t at = at_;
            const std::string_view member = take_word();
            const Symbol found = names_.find_in_block(symbol.index, member);
            if (found.kind == Symbol::Kind::nothing) {
                return fail_unknown(at, member, symbol, "in this block");
            }
            symbol = found;
            if (!parse_indices(symbol, at, member, indices)) {
                return false;
            }
        }
        return emit_reference(symbol, start, name, indices);
    }

    bool emit_reference(Symbol symbol, std::size_t start, std::string_view name, unsigned indices) {
        const auto argument = static_cast<std::uint8_t>(indices);
        switch (symbol.kind) {
        case Symbol::Kind::reg:
            return take(".") ? emit_field(symbol, argument) : emit({0, symbol.index, Op::reg, argument});
        case Symbol::Kind::derived:
            return emit({0, symbol.index, Op::derived, 0});
        case Symbol::Kind::counter:
            return emit({0, symbol.index, Op::counter, 0});
        case Symbol::Kind::array_index:
            return emit({0, symbol.index, Op::index, 0});
        case Symbol::Kind::own_field:
            return emit({0, symbol.index, Op::own_field, 0});
        default:
            return fail_unknown(start, name, {}, "");
        }
    }

    bool emit_field(Symbol reg, std::uint8_t argument) {
        skip_space();
        const std::size_t at = at_;
        const std::string_view name = take_word();
        const Index field = names_.find_field(reg.index, name);
        if (field == none) {
            return fail_unknown(at, name, reg, "in this register");
        }
        return emit({0, field, Op::field, argument});
    }

    // One index in brackets where the symbol is an array, none where it is not.
    bool parse_indices(Symbol symbol, std::size_t start, std::string_view name, unsigned& indices) {
        const bool has_array = symbol.kind == Symbol::Kind::reg || symbol.kind == Symbol::Kind::block;
        const bool wanted = has_array && names_.is_array(symbol);
        skip_space();
        const std::size_t at = at_;
        if (symbol.kind == Symbol::Kind::nothing) {
            return fail_unknown(start, name, {}, "");
        }
        if (!take("[")) {
            return !wanted || fail(start, fmt::format("\"{}\" is an array and needs an index", name),
                                   fmt::format("write {}[...]", name));
        }
        if (!wanted) {
            return fail(at, fmt::format("\"{}\" is not an array", name), "remove the index");
        }
        ++indices;
        return parse_conditional() && (take("]") || fail_here("expected ]"));
    }

    bool parse_pci() {
        skip_space();
        const std::size_t at = at_;
        const std::string_view name = take_word();
        for (const auto& [text, property] : pci_properties) {
            if (text == name) {
                return emit({0, static_cast<std::uint32_t>(property), Op::pci, 0});
            }
        }
        return fail(at, fmt::format("pci.{} does not exist", name),
                    "use vendor, device, subsystemVendor, subsystemDevice, class, revision or isVf");
    }

    bool parse_present() {
        skip_space();
        const std::size_t at = at_;
        const std::string_view name = take_word();
        const Index space = names_.find_space(name);
        if (space == none) {
            return fail(at, fmt::format("there is no space \"{}\"", name), "name one of the map's spaces");
        }
        return (take(")") || fail_here("expected )")) && emit({0, space, Op::present, 0});
    }

    bool parse_known() {
        const std::size_t start = codes_.size();
        if (!parse_conditional() || !(take(")") || fail_here("expected )"))) {
            return false;
        }
        fold_known(codes_, start);
        return true;
    }

    bool parse_previous() {
        const std::size_t earlier = codes_.size();
        codes_.push_back({0, 0, Op::earlier, 0});
        if (!parse_conditional() || !(take(")") || fail_here("expected )"))) {
            return false;
        }
        codes_[earlier].ref = static_cast<std::uint32_t>(codes_.size() - earlier - 1);
        return true;
    }

    // ---- helpers ----

    bool emit(Code code) {
        codes_.push_back(code);
        return true;
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_space() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n') {
            ++at_;
        }
    }

    bool take(std::string_view token) {
        skip_space();
        if (!text_.substr(at_).starts_with(token)) {
            return false;
        }
        at_ += token.size();
        return true;
    }

    std::string rest() const { return fmt::format("\"{}\"", text_.substr(at_, 16)); }

    bool fail(std::size_t at, std::string what, std::string remedy = {}) {
        if (error.what.empty()) {
            error = {at, std::move(what), std::move(remedy)};
        }
        return false;
    }

    bool fail_here(std::string_view expected) {
        skip_space();
        return fail(at_, at_ == text_.size() ? fmt::format("{}, but the expression ends", expected)
                                             : fmt::format("{}, not {}", expected, rest()));
    }

    bool fail_unknown(std::size_t at, std::string_view name, Symbol inside, std::string_view where) {
        return fail(at, fmt::format("there is no \"{}\"{}{}", name, where.empty() ? "" : " ", where),
                    names_.suggest(name, inside));
    }

    std::string_view text_;
    const ExpressionNames& names_;
    std::vector<Code>& codes_;
    std::size_t at_ = 0;
    unsigned nesting_ = 0;
};

} // namespace

std::optional<ExpressionError> compile_expression(std::string_view text, const ExpressionNames& names,
                                                  std::vector<Code>& codes) {
    const std::size_t before = codes.size();
    Parser parser(text, names, codes);
    if (parser.run()) {
        return std::nullopt;
    }
    codes.resize(before);
    return parser.error;
}

} // namespace barscope::regmaps
