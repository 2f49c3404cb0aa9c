// The register map after loading: flat tables of plain records that refer to one another by index, so that a
// map which was compiled into the executable is used in place, without any work at start-up. Made by
// load_map() (loader.h) from JSON, or by map_from_image() from what the build compiled. Read-only afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <safety/access.h>

namespace barscope::regmaps {

using Index = std::uint32_t;
inline constexpr Index none = 0xffffffff;
inline constexpr unsigned max_indices = 3; // nesting depth of blocks and arrays

// A piece of the map's text table.
struct Text {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
};

// Elements [begin, begin + count) of the table named where it is used.
struct Range {
    Index begin = 0;
    std::uint32_t count = 0;
};

enum class Access : std::uint8_t { read_only, write_only, read_write, write_once, read_write_once };
using safety::ReadAction;
enum class ModifiedWrite : std::uint8_t {
    plain,
    one_to_clear,
    one_to_set,
    one_to_toggle,
    zero_to_clear,
    zero_to_set,
    zero_to_toggle,
    clear,
    set,
    modify
};
enum class Volatility : std::uint8_t { status, constant, config, counter, index, timestamp };
enum class Severity : std::uint8_t { unspecified, ok, notice, warning, critical };
enum class Display : std::uint8_t { hex, dec, boolean, signed_dec, address, bytes, scaled };
// What a value gives away: a kernel pointer is shown on request only; an identifier (a serial number, a MAC
// address) is left out of what is redacted.
enum class Sensitive : std::uint8_t { no, kernel_pointer, identifier };

// Whether a read gives the register's value. A writeOnce register's reads are undefined (CMSIS-SVD
// `accessType`).
constexpr bool readable(Access access) {
    return access != Access::write_only && access != Access::write_once;
}

std::string_view name(Access);     // the format's spelling: "read-only"
std::string_view name(ReadAction); // "modifyExternal"
std::string_view name(ModifiedWrite);
std::string_view name(Volatility);
std::string_view name(Severity);
std::string_view name(Display);
std::string_view name(Sensitive); // "kernel-pointer"

struct EnumValue {
    std::uint64_t value = 0;
    Text name, description;
    Severity severity = Severity::unspecified;
};

struct Enum {
    Text name;    // empty for an inline one
    Range values; // enum_values, ascending by value
};

// An expression in postfix order over unsigned 64-bit values or "unknown". Constant ones are folded to a
// single `push`. A range of codes is evaluated on a stack of its own and leaves exactly one value. Operands
// are pushed left first, so the right one is on top; the result of an operator with an unknown operand is
// unknown. Comparisons and logical operators give 0 or 1. shl and shr by 64 or more give 0; div and mod by 0
// give unknown.
//
// Four codes own the codes that follow them; the evaluator takes those as ranges, recursively, and goes on
// behind them:
//   and_then, or_else: the left operand is on the stack; the next `ref` codes are the right operand.
//     and_then: pop left. Known 0: push 0 without evaluating the right operand. Otherwise evaluate it: left
//     known non-zero gives bool(right); left unknown gives 0 where right is known 0, else unknown. or_else:
//     pop left. Known non-zero: push 1 without evaluating. Otherwise: left known 0 gives bool(right); left
//     unknown gives 1 where right is known non-zero, else unknown.
//   branch: the condition is on the stack; the next `ref` codes are the then-part including the {jump, n}
//   that is its
//     last code; the n codes behind the jump are the else-part. Pop the condition, evaluate only the part it
//     takes (without the jump), push its value. An unknown condition gives unknown. `jump` occurs nowhere
//     else.
//
//   earlier: the next `ref` codes are evaluated with the values of the pass before and leave one value; all
//     of it is unknown where there was none.
//
// Every range needs at most max_expression_stack slots, and ranges nest to at most max_expression_nesting.
inline constexpr unsigned max_expression_stack = 64;
inline constexpr unsigned max_expression_nesting = 64;
// Longest chain of dependence (a register's place needs a register, whose place needs a derived value, ...).
// Chains never form a cycle: the loader refuses those.
inline constexpr unsigned max_dependence = 64;

enum class Op : std::uint8_t {
    push,      // imm
    reg,       // value of register `ref`; takes `argument` indices from the stack, the innermost on top
    field,     // value of field `ref` (of its register), shifted down; takes `argument` indices likewise
    derived,   // derived value `ref`
    pci,       // PciProperty `ref`
    counter,   // counter `ref` of the kernel
    present,   // 1 where space `ref` is present, 0 where it is absent
    index,     // array index in scope, level `ref` (0 is the outermost)
    own_field, // field `ref` of the register (or structure) that is being decoded
    add,
    sub,
    mul,
    div,
    mod,
    shl,
    shr,
    bit_and,
    bit_or,
    bit_xor,
    bit_not,
    neg,
    logical_not,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    and_then,
    or_else,
    branch,
    jump,    // see above
    earlier, // see above
    known,   // 1 where the operand has a value, 0 where it is unknown
};
enum class PciProperty : std::uint8_t {
    vendor,
    device,
    subsystem_vendor,
    subsystem_device,
    class_code,
    revision,
    is_vf
};

struct Code {
    std::uint64_t imm = 0;
    std::uint32_t ref = 0;
    Op op = Op::push;
    std::uint8_t argument = 0;
};

struct Expression {
    Range code; // codes
    Text source;
};

struct Poison {
    std::uint64_t mask = 0, value = 0;
};

enum class SpaceKind : std::uint8_t { bar, config, capability, extended_capability };

struct DumpRegister { // one register's place in the driver's dump
    Index reg = none;
    std::uint64_t offset = 0; // bytes into the dump
};

struct Space {
    Text name, title, description, source;
    SpaceKind kind = SpaceKind::bar;
    safety::ByteOrder order = safety::ByteOrder::little;
    std::uint8_t legal_widths = 0x4; // bit 0: 8, bit 1: 16, bit 2: 32, bit 3: 64 bits
    std::uint16_t capability = 0;    // capability or extended capability id
    std::uint8_t where_width = 0;    // capabilityWhere; 0: absent
    std::uint32_t where_offset = 0;
    std::uint32_t where_value = 0;
    Index bar = none, base = none, size = none, when = none; // expressions; none: not given
    Index window_select = none;                              // register; none: not windowed
    Index window_value = none;                               // expression
    std::uint64_t window_at = 0, window_size = 0;
    // The driver's dump of this space. drivers.count == 0: none.
    Range dump_drivers; // text_list
    std::uint64_t dump_version_mask = 0, dump_version_value = 0;
    std::uint64_t dump_offset = 0;
    Range dump_registers; // dump_registers table; empty: the space as a whole from dump_offset
    bool dump_side_effect_free = false;
};

// Element i lies at i * stride. Neither count nor stride sees the array's own index, only those around it.
struct Array {
    Index count = none, stride = none; // expressions; none: not an array
    Text index;
};

struct Block {
    Text name, title, description;
    Index parent = none; // block
    Index base = none;   // expression, from the parent's base or the space's; sees the enclosing indices only
    Index when = none;   // sees the block's own index too: evaluated for each element
    Array array;
    Range groups; // text_list; the parent's included
};

struct Register {
    Text name, title, description, source, unit;
    std::uint64_t offset = 0; // from the space's base, or the block's
    std::uint64_t reset_value = 0, write_mask = 0;
    Index space = 0;
    Index block = none;
    Index when = none, modulus = none; // `when` sees the register's own index too: evaluated for each element
    Index enumeration = none;          // for the whole value
    Array array;
    Range fields; // fields, descending by msb, then by lsb
    Range poison; // poisons
    Range groups; // text_list; those of its blocks included
    std::uint8_t width = 32;
    Access access = Access::read_write;
    ReadAction read_action = ReadAction::unclaimed; // the worst of the register's own and its fields'
    ModifiedWrite modified_write = ModifiedWrite::plain;
    Volatility volatility = Volatility::status;
    Display display = Display::hex;
    safety::Split split = safety::Split::none;
    safety::ByteOrder order = safety::ByteOrder::little;
    bool has_reset = false, has_write_mask = false, never_all_ones = false, alternate = false;
    bool on_request = false;             // read only where it was asked for
    Sensitive sensitive = Sensitive::no; // the most of the register's own and its fields'
};

struct FieldSeverity {
    std::uint64_t value = 0;
    Severity severity = Severity::unspecified;
};

// Of a register or of a structure (then `at` and `width` say which word).
struct Field {
    Text name, title, description, source, unit;
    double scale = 1, offset = 0;
    Index owner = none; // the register or structure
    Index enumeration = none;
    Index when = none, modulus = none;
    Range severities;        // field_severities
    std::uint32_t at = 0;    // structures: byte offset of the word
    std::uint32_t bytes = 0; // structures: a field of this many bytes instead of bits; 0: bits
    std::uint8_t width = 32; // of the word
    std::uint8_t lsb = 0, msb = 0;
    Access access = Access::read_write;
    ReadAction read_action = ReadAction::none;
    ModifiedWrite modified_write = ModifiedWrite::plain;
    Volatility volatility = Volatility::status;
    Display display = Display::hex;
    Sensitive sensitive = Sensitive::no; // kernel_pointer: of structures only
};

struct VariantCase {
    std::uint64_t value = 0;
    Index structure = none;
};

struct Structure {
    Text name, title, description, source;
    std::uint32_t size = 0; // bytes
    safety::ByteOrder order = safety::ByteOrder::little;
    Range fields;                 // fields
    Index variant_on = none;      // field
    Range variant_cases;          // variant_cases
    Index variant_default = none; // structure
    Index valid_field = none;     // field
    std::uint64_t valid_value = 0;
    bool valid_phase = false;
    Range groups;
};

struct Derived {
    Text name, title, description, unit;
    Index value = none, when = none; // expressions; value none: unknown
    Index enumeration = none;
    Display display = Display::dec;
    std::uint8_t width = 0; // bits; 0: not given
    bool parameter = false; // the user may say what it is
    double scale = 1, offset = 0;
};

struct Check {
    Text name, meaning, advice;
    Index expect = none, when = none;
    Severity severity = Severity::warning;
    Range groups;
};

struct Log {
    Text name, title;
    Index space = none, base = none, count = none; // space; expressions
    Index entry = none;                            // structure
    Index producer = none;                         // register
};

// Something that the kernel counts for the device, without asking it.
struct Counter {
    Text name, title, description, source, unit;
    Text net; // file below the folder of the device's network interface: "statistics/rx_dropped"
    bool side_effect_free = false; // reading it makes nobody ask the device
};

// What is claimed of a driver's register dump (ETHTOOL_GREGS) that shows no space of the map.
struct DriverDump {
    Text driver, title, description, source;
    bool side_effect_free = false;
};

struct MatchValue { // (id & mask) == value
    std::uint32_t mask = 0, value = 0;
};

enum class MatchKey : std::uint8_t {
    vendor,
    device,
    subsystem_vendor,
    subsystem_device,
    class_code,
    revision
};

struct MatchTerm { // one key of a rule; any of the values
    MatchKey key = MatchKey::vendor;
    bool masked = false; // given as {"mask","value"}: counts half
    Range values;        // match_values
};

struct MatchRule {
    Range terms; // match_terms; all must hold
    std::uint32_t specificity =
        0; // in halves: device 64, subsystemDevice 32, ..., class 2; a mask half of that
};

// All tables of one map, its includes merged in.
class RegisterMap {
  public:
    std::string_view name, title, version, description;
    std::string_view origin;                 // "built in" or the file's path
    std::span<const Text> sources, includes; // includes: names, in order, direct ones
    std::span<const char> texts;
    std::span<const Text> text_list;
    std::span<const MatchRule> match_rules;
    std::span<const MatchTerm> match_terms;
    std::span<const MatchValue> match_values;
    std::span<const Space> spaces;
    std::span<const Enum> enums;
    std::span<const EnumValue> enum_values;
    std::span<const Block> blocks;
    std::span<const Register> registers; // in order of definition
    std::span<const Field> fields;
    std::span<const FieldSeverity> field_severities;
    std::span<const Poison> poisons;
    std::span<const DumpRegister> dump_registers;
    std::span<const Structure> structures;
    std::span<const VariantCase> variant_cases;
    std::span<const Derived> derived;
    std::span<const Check> checks;
    std::span<const Log> logs;
    std::span<const Counter> counters;
    std::span<const DriverDump> driver_dumps;
    std::span<const Expression> expressions;
    std::span<const Code> codes;

    std::string_view text(Text t) const { return {texts.data() + t.at, t.size}; }

    std::shared_ptr<const void> owner; // keeps the tables alive; empty for compiled-in ones
};

} // namespace barscope::regmaps
