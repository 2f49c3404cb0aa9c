// The tables of a map while it is loaded, and their owner afterwards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <regmaps/model.h>

namespace barscope::regmaps {

struct Tables {
    Text name, title, version, description;
    std::string origin;
    std::vector<char> texts;
    std::vector<Text> sources, includes, text_list;
    std::vector<MatchRule> match_rules;
    std::vector<MatchTerm> match_terms;
    std::vector<MatchValue> match_values;
    std::vector<Space> spaces;
    std::vector<Enum> enums;
    std::vector<EnumValue> enum_values;
    std::vector<Block> blocks;
    std::vector<Register> registers;
    std::vector<Field> fields;
    std::vector<FieldSeverity> field_severities;
    std::vector<Poison> poisons;
    std::vector<DumpRegister> dump_registers;
    std::vector<Structure> structures;
    std::vector<VariantCase> variant_cases;
    std::vector<Derived> derived;
    std::vector<Check> checks;
    std::vector<Log> logs;
    std::vector<Counter> counters;
    std::vector<DriverDump> driver_dumps;
    std::vector<Expression> expressions;
    std::vector<Code> codes;

    std::string_view text(Text t) const { return {texts.data() + t.at, t.size}; }
    Text add_text(std::string_view text) {
        const Text result{static_cast<std::uint32_t>(texts.size()), static_cast<std::uint32_t>(text.size())};
        texts.insert(texts.end(), text.begin(), text.end());
        return result;
    }
    // The value of an expression that is a constant.
    const std::uint64_t* constant(Index expression) const {
        if (expression == none) {
            return nullptr;
        }
        const Range code = expressions[expression].code;
        return code.count == 1 && codes[code.begin].op == Op::push ? &codes[code.begin].imm : nullptr;
    }
};

// The map that uses these tables and keeps them alive.
RegisterMap map_of(std::shared_ptr<const Tables> tables);

} // namespace barscope::regmaps
