#include <fmt/format.h>

#include "loader_parts.h"

namespace barscope::regmaps {

namespace {

constexpr ObjectShape space_shape = {"a space",
                                     {Key::name, Key::bar, Key::config, Key::capability,
                                      Key::extended_capability, Key::capability_where, Key::base, Key::size,
                                      Key::byte_order, Key::access_width, Key::when, Key::ethtool,
                                      Key::window, Key::title, Key::description, Key::source},
                                     {Key::name}};
constexpr ObjectShape where_shape = {
    "\"capabilityWhere\"", {Key::offset, Key::width, Key::value}, {Key::offset, Key::value}};
constexpr ObjectShape ethtool_shape = {
    "\"ethtool\"",
    {Key::driver, Key::version, Key::side_effect_free, Key::dump_offset, Key::registers},
    {Key::driver}};
constexpr ObjectShape window_shape = {"\"window\"",
                                      {Key::select, Key::value, Key::at, Key::size},
                                      {Key::select, Key::value, Key::at, Key::size}};
constexpr ObjectShape mask_shape = {"a version's mask", {Key::mask, Key::value}, {Key::mask, Key::value}};

constexpr std::uint64_t config_size = 4096;
constexpr std::uint8_t width_bit(unsigned width) {
    return static_cast<std::uint8_t>(width / 8); // 8: 1, 16: 2, 32: 4, 64: 8
}

// The members of a space that need more than one other member to be judged.
struct SpaceNodes {
    NodeIndex name = no_node, bar = no_node, config = no_node, capability = no_node, where = no_node,
              size = no_node, widths = no_node, ethtool = no_node, window = no_node;
    bool is_config = false;
};

bool load_widths(Reader& reader, NodeIndex node, std::uint8_t& out) {
    out = 0;
    const auto add = [&](NodeIndex element) {
        std::uint8_t width = 0;
        const bool ok = reader.width(element, width);
        out |= width_bit(width);
        return ok;
    };
    const bool is_list = reader.tape.kind(node) == NodeKind::array;
    if (!(is_list ? reader.list(node, "\"accessWidth\"", add) : add(node))) {
        return false;
    }
    return out != 0 || reader.fail(node, "a space that takes no width at all", "name a width");
}

bool load_where(Reader& reader, NodeIndex node, Space& space) {
    space.where_width = 8;
    NodeIndex value = no_node;
    NodeIndex width = no_node;
    const bool ok = reader.object(node, where_shape, [&](Key key, NodeIndex member) {
        switch (key) {
        case Key::offset:
            return reader.number_into(member, config_size - 1, space.where_offset);
        case Key::width:
            width = member;
            return reader.width(member, space.where_width);
        default:
            value = member;
            return true;
        }
    });
    if (ok && space.where_width == 64) {
        return reader.fail(width, "configuration space takes no 64-bit loads", "use 8, 16 or 32");
    }
    return ok && reader.number_into(value, mask_of(space.where_width), space.where_value);
}

bool load_ethtool(Reader& reader, const SpaceNodes& nodes, Space& space, PendingSpace& pending) {
    NodeIndex offset = no_node;
    const bool ok = reader.object(nodes.ethtool, ethtool_shape, [&](Key key, NodeIndex member) {
        switch (key) {
        case Key::driver:
            return reader.texts(member, "a driver's name", space.dump_drivers);
        case Key::version:
            return reader.object(member, mask_shape, [&](Key part, NodeIndex number) {
                return reader.number(number, UINT32_MAX,
                                     part == Key::mask ? space.dump_version_mask : space.dump_version_value);
            });
        case Key::side_effect_free:
            return reader.boolean(member, space.dump_side_effect_free);
        case Key::dump_offset:
            offset = member;
            return reader.number(member, UINT32_MAX, space.dump_offset);
        default:
            pending.dump_registers = member;
            return true;
        }
    });
    if (!ok) {
        return false;
    }
    if (nodes.is_config) {
        return reader.fail(nodes.ethtool, "a driver's dump holds BAR registers, not configuration space",
                           "move \"ethtool\" to a space with \"bar\"");
    }
    if (space.dump_drivers.count == 0) {
        return reader.fail(nodes.ethtool, "no driver is named", "name the driver whose dump this is");
    }
    return (offset == no_node) != (pending.dump_registers == no_node) ||
           reader.fail(nodes.ethtool, "a dump has either \"dumpOffset\" or \"registers\"",
                       "give one of them");
}

bool load_window(Reader& reader, const SpaceNodes& nodes, Space& space, PendingSpace& pending) {
    const bool ok = reader.object(nodes.window, window_shape, [&](Key key, NodeIndex member) {
        switch (key) {
        case Key::select:
            pending.select = member;
            return true;
        case Key::value:
            return reader.expression(member, {}, space.window_value);
        case Key::at:
            return reader.number(member, UINT64_MAX, space.window_at);
        default:
            return reader.number(member, UINT64_MAX, space.window_size);
        }
    });
    if (!ok) {
        return false;
    }
    if (nodes.is_config) {
        return reader.fail(nodes.window, "a window lies in a BAR, not in configuration space",
                           "give the space a \"bar\"");
    }
    return space.window_size <= UINT64_MAX - space.window_at ||
           reader.fail(nodes.window, "the window ends beyond 64 bits", "correct \"at\" or \"size\"");
}

// What several members must agree on.
bool check_space(Reader& reader, NodeIndex node, const SpaceNodes& nodes, Space& space) {
    if ((nodes.bar == no_node) == !nodes.is_config) {
        return reader.fail(node,
                           nodes.is_config
                               ? "a space is either in a BAR or in configuration space, not in both"
                               : "a space needs \"bar\" or \"config\": true",
                           "give one of them");
    }
    if (!nodes.is_config && nodes.capability != no_node) {
        return reader.fail(nodes.capability, "a capability is in configuration space",
                           "add \"config\": true");
    }
    if (nodes.where != no_node && nodes.capability == no_node) {
        return reader.fail(nodes.where, "\"capabilityWhere\" needs a capability to choose from",
                           "add \"capability\" or \"extendedCapability\"");
    }
    if (!nodes.is_config && nodes.size == no_node) {
        return reader.fail(node, "a space in a BAR needs \"size\"", "add its size in bytes");
    }
    if (nodes.widths == no_node) {
        space.legal_widths = nodes.is_config ? width_bit(8) | width_bit(16) | width_bit(32) : width_bit(32);
    } else if (nodes.is_config && (space.legal_widths & width_bit(64)) != 0) {
        return reader.fail(nodes.widths, "configuration space takes no 64-bit loads", "use 8, 16 or 32");
    }
    return true;
}

bool load_space(Reader& reader, NodeIndex node) {
    Space space;
    SpaceNodes nodes;
    bool extended = false;
    const bool ok = reader.object(node, space_shape, [&](Key key, NodeIndex member) {
        switch (key) {
        case Key::name:
            nodes.name = member;
            return reader.name(member, space.name);
        case Key::bar:
            nodes.bar = member;
            return reader.expression(member, {}, space.bar);
        case Key::config:
            nodes.config = member;
            return reader.boolean(member, nodes.is_config);
        case Key::capability:
        case Key::extended_capability:
            if (nodes.capability != no_node) {
                return reader.fail(member, "a space is in one capability only", "keep one of them");
            }
            nodes.capability = member;
            extended = key == Key::extended_capability;
            return reader.number_into(member, extended ? 0xffff : 0xff, space.capability);
        case Key::capability_where:
            nodes.where = member;
            return load_where(reader, member, space);
        case Key::base:
            return reader.expression(member, {}, space.base);
        case Key::size:
            nodes.size = member;
            return reader.expression(member, {}, space.size);
        case Key::byte_order:
            return reader.word(member, space.order);
        case Key::access_width:
            nodes.widths = member;
            return load_widths(reader, member, space.legal_widths);
        case Key::when:
            return reader.expression(member, {}, space.when);
        case Key::ethtool:
            nodes.ethtool = member;
            return true;
        case Key::window:
            nodes.window = member;
            return true;
        case Key::title:
            return reader.text(member, space.title);
        case Key::description:
            return reader.text(member, space.description);
        default:
            return reader.text(member, space.source);
        }
    });
    if (!ok || !check_space(reader, node, nodes, space)) {
        return false;
    }
    if (nodes.is_config) {
        space.kind = nodes.capability == no_node ? SpaceKind::config
                     : extended                  ? SpaceKind::extended_capability
                                                 : SpaceKind::capability;
    }
    PendingSpace pending{static_cast<Index>(reader.tables.spaces.size()), reader.document, no_node, no_node};
    if ((nodes.ethtool != no_node && !load_ethtool(reader, nodes, space, pending)) ||
        (nodes.window != no_node && !load_window(reader, nodes, space, pending))) {
        return false;
    }
    const Symbol symbol{Symbol::Kind::nothing, pending.space};
    if (!reader.state.add_name(scope::spaces, space.name, symbol, reader.place(nodes.name), "the space")) {
        return false;
    }
    reader.tables.spaces.push_back(space);
    reader.state.space_places.push_back(reader.place(node));
    if (pending.select != no_node || pending.dump_registers != no_node) {
        reader.state.pending_spaces.push_back(pending);
    }
    return true;
}

// Whether two expressions surely have the same value.
bool same_value(const Tables& tables, Index a, Index b) {
    const std::uint64_t* const x = tables.constant(a);
    const std::uint64_t* const y = tables.constant(b);
    return x != nullptr && y != nullptr
               ? *x == *y
               : tables.text(tables.expressions[a].source) == tables.text(tables.expressions[b].source);
}

bool resolve_select(Reader& reader, const PendingSpace& pending) {
    Tables& tables = reader.tables;
    Space& space = tables.spaces[pending.space];
    if (!load_register_reference(reader, pending.select, space.window_select)) {
        return false;
    }
    const Register& reg = tables.registers[space.window_select];
    if (!readable(reg.access) || reg.read_action != ReadAction::none) {
        return reader.fail(pending.select, "the select register cannot be read without a side effect",
                           "a window needs a select register that can be read freely");
    }
    const Space& home = tables.spaces[reg.space];
    const bool same =
        home.kind == SpaceKind::bar && home.window_value == none && same_value(tables, home.bar, space.bar);
    return same || reader.fail(pending.select, "the select register is not in the window's BAR",
                               "a window and its select register must lie in the same BAR");
}

bool resolve_dump_registers(Reader& reader, const PendingSpace& pending) {
    Tables& tables = reader.tables;
    const NodeIndex object = pending.dump_registers;
    if (reader.tape.kind(object) != NodeKind::object || reader.tape.behind(object) == object + 1) {
        return reader.fail(object, "\"registers\" must be an object that names registers",
                           "write {REGISTER: OFFSET, ...}");
    }
    Range range{static_cast<Index>(tables.dump_registers.size()), 0};
    for (const Children::Item item : Children(reader.tape, object)) {
        DumpRegister place;
        if (!find_register(reader, item.node, reader.tape.key_text(item.node), place.reg) ||
            !reader.number(item.node, UINT32_MAX, place.offset)) {
            return false;
        }
        if (tables.registers[place.reg].space != pending.space) {
            return reader.fail(
                item.node,
                fmt::format("the register \"{}\" is not in this space", reader.tape.key_text(item.node)),
                "name registers of this space only");
        }
        tables.dump_registers.push_back(place);
        ++range.count;
    }
    tables.spaces[pending.space].dump_registers = range;
    return true;
}

} // namespace

bool load_spaces(Reader& reader, NodeIndex list) {
    if (reader.tape.behind(list) != list + 1) {
        reader.state.documents[reader.document].first_space = static_cast<Index>(reader.tables.spaces.size());
    }
    return reader.list(list, "\"spaces\"", [&](NodeIndex node) { return load_space(reader, node); });
}

bool resolve_space_references(LoadState& state) {
    for (const PendingSpace& pending : state.pending_spaces) {
        Reader reader(state, pending.document);
        if ((pending.select != no_node && !resolve_select(reader, pending)) ||
            (pending.dump_registers != no_node && !resolve_dump_registers(reader, pending))) {
            return false;
        }
    }
    return true;
}

} // namespace barscope::regmaps
