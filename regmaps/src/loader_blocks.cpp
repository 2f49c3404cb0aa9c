// Blocks, arrays, and references to registers.
#include "loader_blocks.h"

#include <fmt/format.h>

namespace barscope::regmaps {

namespace {

constexpr ObjectShape block_shape = {"a block",
                                     {Key::name, Key::space, Key::base, Key::array, Key::when, Key::group,
                                      Key::title, Key::description, Key::registers, Key::blocks},
                                     {Key::name}};
constexpr ObjectShape array_shape = {
    "\"array\"", {Key::count, Key::stride, Key::index}, {Key::count, Key::stride}};

bool load_block_list(Reader& reader, NodeIndex list, const BlockContext& context);

bool load_block(Reader& reader, NodeIndex node, const BlockContext& around) {
    Tables& tables = reader.tables;
    const auto index = static_cast<Index>(tables.blocks.size());
    Block block;
    block.parent = around.block;
    BlockContext context = around;
    context.block = index;
    NodeIndex name = no_node;
    NodeIndex array = no_node;
    NodeIndex registers = no_node;
    NodeIndex blocks = no_node;
    const bool ok = reader.object(node, block_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::name:
            name = value;
            return reader.name(value, block.name);
        case Key::space:
            return load_space_use(reader, value, context.space);
        case Key::base:
            return reader.expression(value, {around.block, none, none, false}, block.base);
        case Key::array:
            array = value;
            return load_array(reader, value, {around.block, none, none, false}, block.array);
        case Key::when:
            return reader.expression(value, {index, none, none, false}, block.when);
        case Key::group:
            return reader.texts(value, "a group", block.groups);
        case Key::title:
            return reader.text(value, block.title);
        case Key::description:
            return reader.text(value, block.description);
        case Key::registers:
            registers = value;
            return true;
        default:
            blocks = value;
            return true;
        }
    });
    if (!ok) {
        return false;
    }
    if (array != no_node && ++context.arrays > max_indices) {
        return reader.fail(array, fmt::format("arrays nest deeper than {}", max_indices),
                           "flatten the blocks");
    }
    join_groups(tables, block.groups, around.groups);
    context.groups = block.groups;
    const Index where = around.block == none ? scope::top : around.block;
    if ((around.block == none && !check_top_name(reader, name, block.name)) ||
        !reader.state.add_name(where, block.name, {Symbol::Kind::block, index}, reader.place(name),
                               "the block")) {
        return false;
    }
    tables.blocks.push_back(block);
    reader.state.block_places.push_back(reader.place(node));
    return (registers == no_node || load_register_list(reader, registers, context)) &&
           (blocks == no_node || load_block_list(reader, blocks, context));
}

bool load_block_list(Reader& reader, NodeIndex list, const BlockContext& context) {
    return reader.list(list, "\"blocks\"", [&](NodeIndex node) { return load_block(reader, node, context); });
}

} // namespace

bool load_space_use(Reader& reader, NodeIndex node, Index& out) {
    std::string_view name;
    if (!reader.string(node, name)) {
        return false;
    }
    out = reader.state.symbols.find(scope::spaces, name).index;
    return out != none || reader.fail(node, fmt::format("there is no space \"{}\"", name),
                                      name_remedy(name, reader.state.symbols.names_in(scope::spaces)));
}

void join_groups(Tables& tables, Range& groups, Range outer) {
    if (groups.count == 0) {
        groups = outer;
        return;
    }
    for (std::uint32_t i = 0; i < outer.count; ++i) {
        tables.text_list.push_back(tables.text_list[outer.begin + i]);
        ++groups.count;
    }
}

bool check_top_name(Reader& reader, NodeIndex node, Text name) {
    const std::string_view text = reader.tables.text(name);
    return (text != "pci" && text != "present") ||
           reader.fail(node, fmt::format("\"{}\" means something else in expressions", text),
                       "use another name");
}

bool load_array(Reader& reader, NodeIndex node, const ExpressionScope& scope, Array& out) {
    return reader.object(node, array_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::count:
            return reader.expression(value, scope, out.count);
        case Key::stride:
            return reader.expression(value, scope, out.stride);
        default:
            return reader.name(value, out.index);
        }
    });
}

bool load_registers(Reader& reader, NodeIndex registers, NodeIndex blocks) {
    return (registers == no_node || load_register_list(reader, registers, {})) &&
           (blocks == no_node || load_block_list(reader, blocks, {}));
}

bool find_register(Reader& reader, NodeIndex node, std::string_view path, Index& out) {
    Index where = scope::top;
    Symbol symbol;
    bool in_array = false;
    for (std::string_view left = path;;) {
        const std::size_t dot = left.find('.');
        const std::string_view step = left.substr(0, dot);
        symbol = reader.state.symbols.find(where, step);
        if (symbol.kind == Symbol::Kind::block) {
            in_array = in_array || reader.tables.blocks[symbol.index].array.count != none;
        }
        if (symbol.kind != Symbol::Kind::block || dot == std::string_view::npos) {
            if (dot != std::string_view::npos || symbol.kind != Symbol::Kind::reg) {
                return reader.fail(node, fmt::format("there is no register \"{}\"", path),
                                   name_remedy(step, reader.state.symbols.names_in(where)));
            }
            break;
        }
        where = symbol.index;
        left.remove_prefix(dot + 1);
    }
    out = symbol.index;
    in_array = in_array || reader.tables.registers[out].array.count != none;
    return !in_array ||
           reader.fail(node, fmt::format("\"{}\" is an array of registers", path), "name a single register");
}

bool load_register_reference(Reader& reader, NodeIndex node, Index& out) {
    std::string_view path;
    return reader.string(node, path) && find_register(reader, node, path, out);
}

} // namespace barscope::regmaps
