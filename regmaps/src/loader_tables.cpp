#include "loader_tables.h"

#include <utility>

namespace barscope::regmaps {

RegisterMap map_of(std::shared_ptr<const Tables> tables) {
    const Tables& t = *tables;
    RegisterMap map;
    map.name = t.text(t.name);
    map.title = t.text(t.title);
    map.version = t.text(t.version);
    map.description = t.text(t.description);
    map.origin = t.origin;
    map.sources = t.sources;
    map.includes = t.includes;
    map.texts = t.texts;
    map.text_list = t.text_list;
    map.match_rules = t.match_rules;
    map.match_terms = t.match_terms;
    map.match_values = t.match_values;
    map.spaces = t.spaces;
    map.enums = t.enums;
    map.enum_values = t.enum_values;
    map.blocks = t.blocks;
    map.registers = t.registers;
    map.fields = t.fields;
    map.field_severities = t.field_severities;
    map.poisons = t.poisons;
    map.dump_registers = t.dump_registers;
    map.structures = t.structures;
    map.variant_cases = t.variant_cases;
    map.derived = t.derived;
    map.checks = t.checks;
    map.logs = t.logs;
    map.counters = t.counters;
    map.driver_dumps = t.driver_dumps;
    map.expressions = t.expressions;
    map.codes = t.codes;
    map.owner = std::move(tables);
    return map;
}

} // namespace barscope::regmaps
