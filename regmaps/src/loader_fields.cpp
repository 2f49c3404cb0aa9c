// The fields of a register.
#include <algorithm>

#include <fmt/format.h>

#include "loader_field.h"

namespace barscope::regmaps {

namespace {

constexpr ObjectShape field_shape = {"a field",
                                     {Key::name, Key::bits, Key::enum_, Key::access, Key::read_action,
                                      Key::modified_write_value, Key::display, Key::scale, Key::offset,
                                      Key::unit, Key::severity, Key::volatility, Key::modulus, Key::when,
                                      Key::title, Key::description, Key::source, Key::sensitive},
                                     {Key::name, Key::bits}};

// Which bits are taken so far: by fields that always exist, and by those that have a `when`.
struct Taken {
    std::uint64_t always = 0, sometimes = 0;
};

bool take_bits(Reader& reader, const Field& field, NodeIndex bits, Taken& taken) {
    const std::uint64_t mask = mask_of(field.msb - field.lsb + 1U) << field.lsb;
    const bool conditional = field.when != none;
    if ((mask & (conditional ? taken.always : taken.always | taken.sometimes)) != 0) {
        return reader.state.fail(
            reader.place(bits),
            fmt::format("the field \"{}\" overlaps another", reader.tables.text(field.name)),
            "correct the bits, or give all of these fields a \"when\"", "map-fields-overlap");
    }
    (conditional ? taken.sometimes : taken.always) |= mask;
    return true;
}

} // namespace

bool load_register_fields(Reader& reader, NodeIndex list, Index index, Register& reg,
                          const ExpressionScope& scope) {
    Tables& tables = reader.tables;
    reg.fields = {static_cast<Index>(tables.fields.size()), 0};
    Field defaults;
    defaults.owner = index;
    defaults.width = reg.width;
    defaults.access = reg.access;
    defaults.read_action = reg.read_action;
    defaults.modified_write = reg.modified_write;
    defaults.volatility = reg.volatility;
    const ReadAction own_action = reg.read_action;
    std::vector<NodeIndex>& names = reader.state.field_names;
    names.clear();
    Taken taken;
    bool ordered = true;
    const bool ok = reader.list(list, "\"fields\"", [&](NodeIndex node) {
        FieldLoader loader(reader, node, defaults, scope);
        if (!loader.load(field_shape) || !loader.load_bits() || !loader.load_values() ||
            !take_bits(reader, loader.field, loader.nodes.bits, taken)) {
            return false;
        }
        if (readable(loader.field.access) && !readable(reg.access)) {
            return reader.fail(loader.nodes.access, "a field that can be read in a register that cannot",
                               "correct the access of one of them");
        }
        if (loader.field.sensitive == Sensitive::kernel_pointer) {
            return reader.fail(loader.nodes.sensitive, "only a structure's field holds kernel pointers",
                               "write \"identifier\" where the value is a serial number or an address");
        }
        reg.sensitive = std::max(reg.sensitive, loader.field.sensitive);
        // The worst of all counts: a load of the register reads every field of it.
        reg.read_action = own_action == ReadAction::unclaimed
                              ? own_action
                              : std::max(reg.read_action, loader.field.read_action);
        const Field* const before = reg.fields.count > 0 ? &tables.fields.back() : nullptr;
        ordered = ordered && (before == nullptr || before->msb > loader.field.msb);
        tables.fields.push_back(loader.field);
        names.push_back(loader.nodes.name);
        ++reg.fields.count;
        return true;
    });
    if (!ok || !check_field_names(reader, reg.fields.begin, names)) {
        return false;
    }
    if (!ordered) {
        const auto begin = tables.fields.begin() + static_cast<std::ptrdiff_t>(reg.fields.begin);
        std::stable_sort(begin, tables.fields.end(), [](const Field& a, const Field& b) {
            return a.msb != b.msb ? a.msb > b.msb : a.lsb > b.lsb;
        });
    }
    return true;
}

} // namespace barscope::regmaps
