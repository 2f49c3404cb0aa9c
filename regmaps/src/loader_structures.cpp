// Structures, their fields and their variants.
#include <algorithm>

#include <fmt/format.h>

#include "expression_parser_number.h"
#include "loader_field.h"

namespace barscope::regmaps {

namespace {

constexpr ObjectShape field_shape = {
    "a structure's field",
    {Key::name,    Key::bits,  Key::enum_,    Key::access,      Key::read_action, Key::modified_write_value,
     Key::display, Key::scale, Key::offset,   Key::unit,        Key::severity,    Key::volatility,
     Key::modulus, Key::when,  Key::title,    Key::description, Key::source,      Key::at,
     Key::width,   Key::bytes, Key::sensitive},
    {Key::name}};
constexpr ObjectShape structure_shape = {"a structure",
                                         {Key::name, Key::size, Key::byte_order, Key::fields, Key::variant,
                                          Key::valid, Key::group, Key::title, Key::description, Key::source},
                                         {Key::name, Key::size, Key::fields}};
constexpr ObjectShape valid_shape = {"\"valid\"", {Key::field, Key::phase, Key::value}, {Key::field}};
constexpr ObjectShape variant_shape = {
    "\"variant\"", {Key::on, Key::cases, Key::default_}, {Key::on, Key::cases}};

// Bits of a structure's memory, numbered by byte and bit within the byte.
struct BitRun {
    std::uint64_t begin = 0, end = 0;
    std::size_t field = 0;
};

// A field's bits as runs in memory. In a big-endian word a field of several bytes is not one run.
void append_runs(const Field& field, safety::ByteOrder order, std::size_t index, std::vector<BitRun>& runs) {
    const std::uint64_t first = std::uint64_t{field.at} * 8;
    if (field.bytes > 0) {
        runs.push_back({first, first + std::uint64_t{field.bytes} * 8, index});
        return;
    }
    if (order == safety::ByteOrder::little) {
        runs.push_back({first + field.lsb, first + field.msb + 1U, index});
        return;
    }
    const unsigned last_byte = field.width / 8U - 1;
    for (unsigned byte = field.lsb / 8U; byte <= field.msb / 8U; ++byte) {
        const unsigned low = std::max<unsigned>(field.lsb, byte * 8) % 8;
        const unsigned high = std::min<unsigned>(field.msb, byte * 8 + 7) % 8;
        const std::uint64_t base = first + std::uint64_t{last_byte - byte} * 8U;
        runs.push_back({base + low, base + high + 1U, index});
    }
}

bool check_structure_overlap(Reader& reader, const Structure& structure, const std::vector<NodeIndex>& bits) {
    const Tables& tables = reader.tables;
    std::vector<BitRun> runs;
    for (std::uint32_t i = 0; i < structure.fields.count; ++i) {
        append_runs(tables.fields[structure.fields.begin + i], structure.order, i, runs);
    }
    std::sort(runs.begin(), runs.end(), [](const BitRun& a, const BitRun& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.field < b.field;
    });
    const BitRun* always = nullptr; // of the fields so far that always exist, the one that reaches furthest
    const BitRun* sometimes = nullptr;
    for (const BitRun& run : runs) {
        const bool conditional = tables.fields[structure.fields.begin + run.field].when != none;
        const BitRun* const other = always != nullptr && run.begin < always->end ? always
                                    : !conditional && sometimes != nullptr && run.begin < sometimes->end
                                        ? sometimes
                                        : nullptr;
        if (other != nullptr) {
            const auto name = [&](std::size_t i) {
                return tables.text(tables.fields[structure.fields.begin + i].name);
            };
            const std::size_t first = std::min(run.field, other->field);
            const std::size_t second = std::max(run.field, other->field);
            return reader.state.fail(
                reader.place(bits[second]),
                fmt::format("the field \"{}\" overlaps \"{}\"", name(second), name(first)),
                "correct its place, or give all of these fields a \"when\"", "map-fields-overlap");
        }
        const BitRun*& furthest = conditional ? sometimes : always;
        if (furthest == nullptr || run.end > furthest->end) {
            furthest = &run;
        }
    }
    return true;
}

// Where a structure's field lies: bits of a word, or a run of bytes.
bool load_structure_place(Reader& reader, NodeIndex node, FieldLoader& loader, const Structure& structure) {
    Field& field = loader.field;
    const FieldNodes& nodes = loader.nodes;
    if ((nodes.bits == no_node) == (nodes.bytes == no_node)) {
        return reader.fail(node, "a structure's field has either \"bits\" or \"bytes\"", "give one of them");
    }
    if (nodes.bytes != no_node) {
        if (field.bytes == 0) {
            return reader.fail(nodes.bytes, "a field of no bytes", "correct \"bytes\"");
        }
        if (nodes.enumeration != no_node || nodes.severity != no_node || nodes.width != no_node ||
            (nodes.display != no_node && field.display != Display::bytes)) {
            return reader.fail(nodes.bytes, "a field of bytes is shown as bytes and has no value",
                               "remove \"enum\", \"severity\", \"width\" and \"display\", or use \"bits\"");
        }
        field.display = Display::bytes;
    } else if (!loader.load_bits() || !loader.load_values()) {
        return false;
    }
    const std::uint64_t size = field.bytes > 0 ? field.bytes : field.width / 8U;
    return field.at + size <= structure.size ||
           reader.state.fail(reader.place(nodes.at == no_node ? node : nodes.at),
                             fmt::format("the field \"{}\" ends at byte {}, beyond the structure's {}",
                                         reader.tables.text(field.name), field.at + size, structure.size),
                             "correct \"at\", or the structure's size", "map-field-outside");
}

bool load_structure_fields(Reader& reader, NodeIndex list, Index index) {
    Tables& tables = reader.tables;
    Structure structure = tables.structures[index];
    structure.fields = {static_cast<Index>(tables.fields.size()), 0};
    Field defaults;
    defaults.owner = index;
    const ExpressionScope scope{none, none, index, true};
    std::vector<NodeIndex>& names = reader.state.field_names;
    names.clear();
    std::vector<NodeIndex> bits;
    const bool ok = reader.list(list, "\"fields\"", [&](NodeIndex node) {
        FieldLoader loader(reader, node, defaults, scope);
        if (!loader.load(field_shape) || !load_structure_place(reader, node, loader, structure)) {
            return false;
        }
        if (loader.field.sensitive == Sensitive::identifier) {
            return reader.fail(loader.nodes.sensitive,
                               "a structure's field is no register that a snapshot holds",
                               "remove \"sensitive\"");
        }
        tables.fields.push_back(loader.field);
        names.push_back(loader.nodes.name);
        bits.push_back(loader.nodes.bits != no_node ? loader.nodes.bits : loader.nodes.bytes);
        ++structure.fields.count;
        return true;
    });
    if (!ok || !check_field_names(reader, structure.fields.begin, names) ||
        !check_structure_overlap(reader, structure, bits)) {
        return false;
    }
    tables.structures[index].fields = structure.fields;
    return true;
}

// A field of the structure, by name.
bool find_own_field(Reader& reader, NodeIndex node, const Structure& structure, Index& out) {
    std::string_view name;
    if (!reader.string(node, name)) {
        return false;
    }
    std::vector<std::string_view> names;
    for (Index i = structure.fields.begin; i < structure.fields.begin + structure.fields.count; ++i) {
        names.push_back(reader.tables.text(reader.tables.fields[i].name));
        if (names.back() == name) {
            out = i;
            return reader.tables.fields[i].bytes == 0 ||
                   reader.fail(node, fmt::format("the field \"{}\" has bytes, not a value", name),
                               "name a field of bits");
        }
    }
    return reader.fail(node, fmt::format("the structure has no field \"{}\"", name),
                       name_remedy(name, names));
}

bool load_valid(Reader& reader, NodeIndex node, Structure& structure) {
    NodeIndex phase = no_node;
    NodeIndex value = no_node;
    const bool ok = reader.object(node, valid_shape, [&](Key key, NodeIndex member) {
        switch (key) {
        case Key::field:
            return find_own_field(reader, member, structure, structure.valid_field);
        case Key::phase:
            phase = member;
            return reader.boolean(member, structure.valid_phase);
        default:
            value = member;
            return true;
        }
    });
    if (!ok) {
        return false;
    }
    if ((phase != no_node) == (value != no_node) || (phase != no_node && !structure.valid_phase)) {
        return reader.fail(node, "\"valid\" needs either \"phase\": true or \"value\"", "give one of them");
    }
    const Field& field = reader.tables.fields[structure.valid_field];
    return value == no_node ||
           reader.number(value, mask_of(field.msb - field.lsb + 1U), structure.valid_value);
}

bool load_structure(Reader& reader, NodeIndex node) {
    Tables& tables = reader.tables;
    const auto index = static_cast<Index>(tables.structures.size());
    Structure structure;
    NodeIndex name = no_node;
    NodeIndex size = no_node;
    NodeIndex fields = no_node;
    NodeIndex variant = no_node;
    NodeIndex valid = no_node;
    const bool ok = reader.object(node, structure_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::name:
            name = value;
            return reader.text(value, structure.name) &&
                   reader.check_dashed_name(reader.tables.text(structure.name), reader.place(value));
        case Key::size:
            size = value;
            return reader.number_into(value, max_structure_size, structure.size);
        case Key::byte_order:
            return reader.word(value, structure.order);
        case Key::fields:
            fields = value;
            return true;
        case Key::variant:
            variant = value;
            return true;
        case Key::valid:
            valid = value;
            return true;
        case Key::group:
            return reader.texts(value, "a group", structure.groups);
        case Key::title:
            return reader.text(value, structure.title);
        case Key::description:
            return reader.text(value, structure.description);
        default:
            return reader.text(value, structure.source);
        }
    });
    if (!ok) {
        return false;
    }
    if (structure.size == 0) {
        return reader.fail(size, "a structure of no bytes", "correct its size");
    }
    if (!reader.state.add_name(scope::structures, structure.name, {Symbol::Kind::nothing, index},
                               reader.place(name), "the structure")) {
        return false;
    }
    tables.structures.push_back(structure);
    reader.state.structure_places.push_back(reader.place(node));
    if (variant != no_node) {
        reader.state.pending_variants.push_back({index, reader.place(variant)});
    }
    return load_structure_fields(reader, fields, index) &&
           (valid == no_node || load_valid(reader, valid, tables.structures[index]));
}

bool find_case(Reader& reader, NodeIndex node, std::uint32_t size, Index& out) {
    std::string_view name;
    if (!reader.string(node, name)) {
        return false;
    }
    out = reader.state.symbols.find(scope::structures, name).index;
    if (out == none) {
        return reader.fail(node, fmt::format("there is no structure \"{}\"", name),
                           name_remedy(name, reader.state.symbols.names_in(scope::structures)));
    }
    const std::uint32_t found = reader.tables.structures[out].size;
    return found <= size ||
           reader.fail(node, fmt::format("\"{}\" has {} bytes, this structure {}", name, found, size),
                       "a case must not be longer");
}

bool load_cases(Reader& reader, NodeIndex node, Structure& structure) {
    Tables& tables = reader.tables;
    if (reader.tape.kind(node) != NodeKind::object) {
        return reader.fail(node, "\"cases\" must be an object", "write {VALUE: STRUCTURE, ...}");
    }
    const Field& on = tables.fields[structure.variant_on];
    std::vector<std::pair<VariantCase, NodeIndex>> cases;
    for (const Children::Item item : Children(reader.tape, node)) {
        VariantCase variant;
        if (!reader.key_number(item.node, mask_of(on.msb - on.lsb + 1U), variant.value) ||
            !find_case(reader, item.node, structure.size, variant.structure)) {
            return false;
        }
        cases.emplace_back(variant, item.node);
    }
    std::stable_sort(cases.begin(), cases.end(),
                     [](const auto& a, const auto& b) { return a.first.value < b.first.value; });
    structure.variant_cases = {static_cast<Index>(tables.variant_cases.size()),
                               static_cast<std::uint32_t>(cases.size())};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (i > 0 && cases[i].first.value == cases[i - 1].first.value) {
            return reader.state.fail_at(
                reader.place(cases[i].second), reader.tape.key_start(cases[i].second),
                fmt::format("the value {:#x} stands here twice", cases[i].first.value), "keep one of them",
                "map-duplicate-name");
        }
        tables.variant_cases.push_back(cases[i].first);
    }
    return true;
}

bool resolve_variant(LoadState& state, const PendingVariant& pending) {
    Reader reader(state, pending.place.document);
    Structure& structure = state.tables.structures[pending.structure];
    NodeIndex cases = no_node;
    const bool ok = reader.object(pending.place.node, variant_shape, [&](Key key, NodeIndex member) {
        switch (key) {
        case Key::on:
            return find_own_field(reader, member, structure, structure.variant_on);
        case Key::cases:
            cases = member;
            return true;
        default:
            return find_case(reader, member, structure.size, structure.variant_default);
        }
    });
    return ok && load_cases(reader, cases, structure);
}

// How many structures a chain of variants from here on has; more than `limit` where it does not end.
class ChainLength {
  public:
    explicit ChainLength(const Tables& tables)
        : tables_(tables), lengths_(tables.structures.size(), unknown) {}

    unsigned of(Index structure, unsigned limit) {
        unsigned& length = lengths_[structure];
        if (length != unknown) {
            return length;
        }
        if (limit == 0) {
            return max_dependence + 1;
        }
        length = max_dependence + 1; // what a cycle finds here
        const Structure& s = tables_.structures[structure];
        unsigned longest = 0;
        const auto visit = [&](Index next) { longest = std::max(longest, of(next, limit - 1)); };
        for (Index i = 0; i < s.variant_cases.count; ++i) {
            visit(tables_.variant_cases[s.variant_cases.begin + i].structure);
        }
        if (s.variant_default != none) {
            visit(s.variant_default);
        }
        lengths_[structure] = std::min(longest + 1, max_dependence + 1);
        return lengths_[structure];
    }

  private:
    static constexpr unsigned unknown = 0;
    const Tables& tables_;
    std::vector<unsigned> lengths_;
};

} // namespace

bool load_structures(Reader& reader, NodeIndex list) {
    return reader.list(list, "\"structures\"", [&](NodeIndex node) { return load_structure(reader, node); });
}

bool resolve_variants(LoadState& state) {
    for (const PendingVariant& pending : state.pending_variants) {
        if (!resolve_variant(state, pending)) {
            return false;
        }
    }
    ChainLength chains(state.tables);
    for (const PendingVariant& pending : state.pending_variants) {
        if (chains.of(pending.structure, max_dependence + 1) > max_dependence) {
            return state.fail(pending.place, "the variants lead back to this structure, or through too many",
                              "a structure cannot be a case of itself", "map-cycle");
        }
    }
    return true;
}

} // namespace barscope::regmaps
