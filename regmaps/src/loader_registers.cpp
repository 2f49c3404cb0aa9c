#include <fmt/format.h>

#include "loader_blocks.h"

namespace barscope::regmaps {

namespace {

constexpr KeySet register_keys = {Key::name,
                                  Key::space,
                                  Key::offset,
                                  Key::width,
                                  Key::access,
                                  Key::read_action,
                                  Key::modified_write_value,
                                  Key::split,
                                  Key::byte_order,
                                  Key::reset_value,
                                  Key::write_mask,
                                  Key::poison,
                                  Key::never_all_ones,
                                  Key::group,
                                  Key::volatility,
                                  Key::modulus,
                                  Key::unit,
                                  Key::display,
                                  Key::enum_,
                                  Key::alternate,
                                  Key::on_request,
                                  Key::sensitive,
                                  Key::array,
                                  Key::when,
                                  Key::title,
                                  Key::description,
                                  Key::source,
                                  Key::fields};
constexpr ObjectShape register_shape = {"a register", register_keys, {Key::name, Key::offset}};
constexpr ObjectShape poison_shape = {"a poison value", {Key::mask, Key::value}, {Key::mask, Key::value}};

// The members of a register that are judged when all are known.
struct RegisterNodes {
    NodeIndex name = no_node, sensitive = no_node, offset = no_node, width = no_node, read_action = no_node,
              split = no_node, byte_order = no_node, reset = no_node, write_mask = no_node, poison = no_node,
              sentinel = no_node, modulus = no_node, display = no_node, enumeration = no_node,
              array = no_node, when = no_node, fields = no_node;
};

Index default_space(const Reader& reader, const BlockContext& context) {
    if (context.space != none) {
        return context.space;
    }
    const Index first = reader.state.documents[reader.document].first_space;
    return first == none && !reader.tables.spaces.empty() ? 0 : first;
}

class RegisterLoader {
  public:
    RegisterLoader(Reader& reader, NodeIndex node, const BlockContext& context)
        : reader_(reader), tables_(reader.tables), node_(node), context_(context),
          index_(static_cast<Index>(tables_.registers.size())) {
        reg_.block = context.block;
    }

    bool run() {
        if (tables_.registers.size() >= max_registers) {
            return reader_.fail(node_, fmt::format("more than {} registers", max_registers), "split the map");
        }
        const bool ok = reader_.object(node_, register_shape,
                                       [&](Key key, NodeIndex value) { return load_member(key, value); });
        return ok && load_place() && load_value_rules() && check_sensitive() && load_fields() &&
               check_read_action() && add();
    }

  private:
    bool load_member(Key key, NodeIndex value) {
        switch (key) {
        case Key::name:
            nodes_.name = value;
            return reader_.name(value, reg_.name);
        case Key::space:
            return load_space_use(reader_, value, space_);
        case Key::offset:
            nodes_.offset = value;
            return reader_.number(value, UINT64_MAX, reg_.offset);
        case Key::width:
            nodes_.width = value;
            return reader_.width(value, reg_.width);
        case Key::access:
            return reader_.word(value, reg_.access);
        case Key::read_action:
            nodes_.read_action = value;
            return reader_.word(value, reg_.read_action);
        case Key::modified_write_value:
            return reader_.word(value, reg_.modified_write);
        case Key::split:
            nodes_.split = value;
            return reader_.word(value, reg_.split);
        case Key::byte_order:
            nodes_.byte_order = value;
            return reader_.word(value, reg_.order);
        case Key::never_all_ones:
            nodes_.sentinel = value;
            return reader_.boolean(value, reg_.never_all_ones);
        case Key::group:
            return reader_.texts(value, "a group", reg_.groups);
        case Key::volatility:
            return reader_.word(value, reg_.volatility);
        case Key::display:
            nodes_.display = value;
            return reader_.word(value, reg_.display);
        case Key::alternate:
            return reader_.boolean(value, reg_.alternate);
        case Key::on_request:
            return reader_.boolean(value, reg_.on_request);
        case Key::sensitive:
            nodes_.sensitive = value;
            return reader_.word(value, reg_.sensitive);
        default:
            return load_text_or_later(key, value);
        }
    }

    bool load_text_or_later(Key key, NodeIndex value) {
        switch (key) {
        case Key::unit:
            return reader_.text(value, reg_.unit);
        case Key::title:
            return reader_.text(value, reg_.title);
        case Key::description:
            return reader_.text(value, reg_.description);
        case Key::source:
            return reader_.text(value, reg_.source);
        case Key::reset_value:
            return later(nodes_.reset, value);
        case Key::write_mask:
            return later(nodes_.write_mask, value);
        case Key::poison:
            return later(nodes_.poison, value);
        case Key::modulus:
            return later(nodes_.modulus, value);
        case Key::enum_:
            return later(nodes_.enumeration, value);
        case Key::array:
            return later(nodes_.array, value);
        case Key::when:
            return later(nodes_.when, value);
        default:
            return later(nodes_.fields, value);
        }
    }

    static bool later(NodeIndex& slot, NodeIndex value) {
        slot = value;
        return true;
    }

    bool load_place() {
        reg_.space = space_ != none ? space_ : default_space(reader_, context_);
        if (reg_.space == none) {
            return reader_.fail(node_, "the map has no space for this register", "add \"spaces\" to the map");
        }
        const Space& space = tables_.spaces[reg_.space];
        if (nodes_.byte_order == no_node) {
            reg_.order = space.order;
        }
        if (nodes_.array != no_node) {
            const ExpressionScope around{context_.block, none, none, false};
            if (!load_array(reader_, nodes_.array, around, reg_.array)) {
                return false;
            }
            if (context_.arrays == max_indices) {
                return reader_.fail(nodes_.array, fmt::format("arrays nest deeper than {}", max_indices),
                                    "give the register its own block");
            }
        }
        if (nodes_.when != no_node &&
            !reader_.expression(nodes_.when, {context_.block, index_, none, false}, reg_.when)) {
            return false;
        }
        return check_width(space);
    }

    bool check_width(const Space& space) {
        const bool split = reg_.split != safety::Split::none;
        if (split && reg_.width != 64) {
            return reader_.fail(nodes_.split, fmt::format("a {}-bit register is not split", reg_.width),
                                "only 64-bit registers can be");
        }
        const unsigned load = split ? 32 : reg_.width;
        if ((space.legal_widths & (load / 8)) != 0) {
            return true;
        }
        return reader_.state.fail(
            reader_.place(nodes_.width == no_node ? node_ : nodes_.width),
            fmt::format("the space \"{}\" takes no {}-bit loads", tables_.text(space.name), load),
            reg_.width == 64 && !split && (space.legal_widths & 4) != 0
                ? "add \"split\": \"hi_lo_hi\", or 64 to the space's \"accessWidth\""
                : "correct the width, or add it to the space's \"accessWidth\"",
            "map-illegal-width");
    }

    // Everything that is about the value as a whole.
    bool load_value_rules() {
        const std::uint64_t mask = mask_of(reg_.width);
        reg_.has_reset = nodes_.reset != no_node;
        reg_.has_write_mask = nodes_.write_mask != no_node;
        const ExpressionScope scope{context_.block, index_, none, false};
        if (nodes_.display != no_node && reg_.display == Display::scaled) {
            return reader_.fail(nodes_.display, "a register has no scale", "name a field over all its bits");
        }
        return (!reg_.has_reset || reader_.number(nodes_.reset, mask, reg_.reset_value)) &&
               (!reg_.has_write_mask || reader_.number(nodes_.write_mask, mask, reg_.write_mask)) &&
               (nodes_.poison == no_node || load_poison(mask)) &&
               (nodes_.modulus == no_node || reader_.expression(nodes_.modulus, scope, reg_.modulus)) &&
               (nodes_.enumeration == no_node ||
                load_enum_use(reader_, nodes_.enumeration, mask, reg_.enumeration));
    }

    bool load_poison(std::uint64_t mask) {
        reg_.poison.begin = static_cast<Index>(tables_.poisons.size());
        return reader_.list(nodes_.poison, "\"poison\"", [&](NodeIndex element) {
            Poison poison{mask, 0};
            const bool ok =
                reader_.tape.kind(element) == NodeKind::object
                    ? reader_.object(element, poison_shape,
                                     [&](Key key, NodeIndex member) {
                                         return reader_.number(member, mask,
                                                               key == Key::mask ? poison.mask : poison.value);
                                     })
                    : reader_.number(element, mask, poison.value);
            tables_.poisons.push_back(poison);
            ++reg_.poison.count;
            return ok && ((poison.value & ~poison.mask) == 0 ||
                          reader_.fail(element, "the value has bits outside of the mask, so nothing matches",
                                       "correct the mask"));
        });
    }

    bool load_fields() {
        const ExpressionScope scope{context_.block, index_, none, true};
        return nodes_.fields == no_node || load_register_fields(reader_, nodes_.fields, index_, reg_, scope);
    }

    bool check_sensitive() {
        return reg_.sensitive != Sensitive::kernel_pointer ||
               reader_.fail(nodes_.sensitive, "only a structure's field holds kernel pointers",
                            "write \"identifier\" where the value is a serial number or an address");
    }

    bool check_read_action() {
        if (!readable(reg_.access)) {
            if (reg_.never_all_ones) {
                return reader_.fail(nodes_.sentinel, "a register that cannot be read is no sentinel",
                                    "remove \"neverAllOnes\"");
            }
            return true;
        }
        if (nodes_.read_action == no_node) {
            return reader_.state.fail(
                reader_.place(node_),
                fmt::format("the register \"{}\" can be read, but nothing says what reading it does",
                            tables_.text(reg_.name)),
                "add \"readAction\": \"none\" where reading has no side effect, else what it does",
                "map-no-read-action");
        }
        if (reg_.never_all_ones && reg_.read_action != ReadAction::none) {
            return reader_.fail(nodes_.sentinel, "a register with a read side effect is no sentinel",
                                "remove \"neverAllOnes\"");
        }
        return true;
    }

    bool add() {
        join_groups(tables_, reg_.groups, context_.groups);
        const Index where = context_.block == none ? scope::top : context_.block;
        const Symbol symbol{Symbol::Kind::reg, index_};
        if (context_.block == none && !check_reserved()) {
            return false;
        }
        if (!reader_.state.add_name(where, reg_.name, symbol, reader_.place(nodes_.name), "the register")) {
            return false;
        }
        tables_.registers.push_back(reg_);
        reader_.state.register_places.push_back(reader_.place(nodes_.offset));
        return true;
    }

    bool check_reserved() { return check_top_name(reader_, nodes_.name, reg_.name); }

    Reader& reader_;
    Tables& tables_;
    NodeIndex node_;
    const BlockContext& context_;
    Index index_;
    Register reg_;
    RegisterNodes nodes_;
    Index space_ = none;
};

} // namespace

bool load_register_list(Reader& reader, NodeIndex list, const BlockContext& context) {
    return reader.list(list, "\"registers\"",
                       [&](NodeIndex node) { return RegisterLoader(reader, node, context).run(); });
}

} // namespace barscope::regmaps
