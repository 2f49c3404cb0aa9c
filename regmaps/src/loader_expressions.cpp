// The names that expressions of a map may use, and the compilation of all of them.
#include <fmt/format.h>

#include "loader_parts.h"

namespace barscope::regmaps {

namespace {

class MapNames : public ExpressionNames {
  public:
    MapNames(const LoadState& state, const ExpressionScope& scope)
        : state_(state), tables_(state.tables), scope_(scope) {}

    // Inner names hide outer ones: array indices, then the fields of the register itself, then the map's
    // names.
    Symbol find(std::string_view name) const override {
        if (const Symbol index = find_index(name); index.kind != Symbol::Kind::nothing) {
            return index;
        }
        if (const Index field = find_in(own_fields(), name); field != none) {
            return {Symbol::Kind::own_field, field};
        }
        return state_.symbols.find(scope::top, name);
    }

    Symbol find_in_block(Index block, std::string_view name) const override {
        return state_.symbols.find(block, name);
    }

    Index find_field(Index reg, std::string_view name) const override {
        return find_in(tables_.registers[reg].fields, name);
    }

    Index find_space(std::string_view name) const override {
        return state_.symbols.find(scope::spaces, name).index;
    }

    bool is_array(Symbol symbol) const override {
        return (symbol.kind == Symbol::Kind::block ? tables_.blocks[symbol.index].array
                                                   : tables_.registers[symbol.index].array)
                   .count != none;
    }

    std::string suggest(std::string_view name, Symbol inside) const override {
        std::vector<std::string_view> names;
        if (inside.kind == Symbol::Kind::reg) {
            append_names(tables_.registers[inside.index].fields, names);
        } else if (inside.kind == Symbol::Kind::block) {
            names = state_.symbols.names_in(inside.index);
        } else {
            names = state_.symbols.names_in(scope::top);
            append_names(own_fields(), names);
        }
        return name_remedy(name, names);
    }

  private:
    Range own_fields() const {
        if (!scope_.own_fields) {
            return {};
        }
        return scope_.structure != none ? tables_.structures[scope_.structure].fields
                                        : tables_.registers[scope_.reg].fields;
    }

    Index find_in(Range fields, std::string_view name) const {
        for (Index i = fields.begin; i < fields.begin + fields.count; ++i) {
            if (tables_.text(tables_.fields[i].name) == name) {
                return i;
            }
        }
        return none;
    }

    void append_names(Range fields, std::vector<std::string_view>& names) const {
        for (Index i = fields.begin; i < fields.begin + fields.count; ++i) {
            names.push_back(tables_.text(tables_.fields[i].name));
        }
    }

    // Levels count from the outermost array; of two indices with the same name the inner one is meant.
    Symbol find_index(std::string_view name) const {
        Text levels[max_indices];
        Index depth = 0;
        collect_levels(scope_.block, levels, depth);
        if (scope_.reg != none && tables_.registers[scope_.reg].array.count != none) {
            levels[depth++] = tables_.registers[scope_.reg].array.index;
        }
        while (depth-- > 0) {
            if (levels[depth].size > 0 && tables_.text(levels[depth]) == name) {
                return {Symbol::Kind::array_index, depth};
            }
        }
        return {};
    }

    void collect_levels(Index block, Text (&levels)[max_indices], Index& depth) const {
        std::vector<Index> chain; // from the inside out
        for (; block != none; block = tables_.blocks[block].parent) {
            if (tables_.blocks[block].array.count != none) {
                chain.push_back(block);
            }
        }
        for (; !chain.empty(); chain.pop_back()) {
            levels[depth++] = tables_.blocks[chain.back()].array.index;
        }
    }

    const LoadState& state_;
    const Tables& tables_;
    const ExpressionScope& scope_;
};

// Where in the document the character `at` of a text node is.
std::size_t offset_in(const Tape& tape, NodeIndex node, std::size_t at) {
    const std::size_t start = tape[node].start;
    const std::string_view text = tape.string(node);
    // A text with escapes has no simple correspondence; its beginning is near enough.
    const bool as_written = tape.document.substr(start + 1, text.size()) == text;
    return as_written ? start + 1 + at : start;
}

} // namespace

bool compile_expressions(LoadState& state) {
    Tables& tables = state.tables;
    for (const PendingExpression& pending : state.pending) {
        const Tape& tape = state.documents[pending.place.document].tape;
        const std::string_view text = tape.string(pending.place.node);
        const MapNames names(state, pending.scope);
        const auto begin = static_cast<Index>(tables.codes.size());
        if (const auto error = compile_expression(text, names, tables.codes)) {
            const std::string what = fmt::format("{} (character {} of the expression \"{}\")", error->what,
                                                 error->at + 1, text.substr(0, 200));
            return state.fail_at(pending.place, offset_in(tape, pending.place.node, error->at), what,
                                 error->remedy.empty() ? "correct the expression" : error->remedy,
                                 "map-expression");
        }
        tables.expressions[pending.expression].code = {
            begin, static_cast<std::uint32_t>(tables.codes.size() - begin)};
    }
    return true;
}

} // namespace barscope::regmaps
