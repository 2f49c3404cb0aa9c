// Derived values, checks and logs.
#include <fmt/format.h>

#include "loader_parts.h"

namespace barscope::regmaps {

namespace {

constexpr ObjectShape derived_shape = {"a derived value",
                                       {Key::name, Key::value, Key::unit, Key::display, Key::scale,
                                        Key::offset, Key::enum_, Key::title, Key::description, Key::when,
                                        Key::width, Key::parameter},
                                       {Key::name}};
constexpr ObjectShape check_shape = {
    "a check",
    {Key::name, Key::expect, Key::severity, Key::meaning, Key::advice, Key::when, Key::group},
    {Key::name, Key::expect}};
constexpr ObjectShape log_shape = {
    "a log",
    {Key::name, Key::space, Key::base, Key::entry, Key::count, Key::producer, Key::title},
    {Key::name, Key::space, Key::base, Key::entry, Key::count}};

bool load_one_derived(Reader& reader, NodeIndex node) {
    Derived derived;
    const auto index = static_cast<Index>(reader.tables.derived.size());
    NodeIndex name = no_node;
    NodeIndex scale = no_node;
    NodeIndex display = no_node;
    const bool ok = reader.object(node, derived_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::name:
            name = value;
            return reader.name(value, derived.name);
        case Key::value:
            return reader.expression(value, {}, derived.value);
        case Key::when:
            return reader.expression(value, {}, derived.when);
        case Key::parameter:
            return reader.boolean(value, derived.parameter);
        case Key::unit:
            return reader.text(value, derived.unit);
        case Key::display:
            display = value;
            return reader.word(value, derived.display);
        case Key::width:
            return reader.width(value, derived.width);
        case Key::scale:
            scale = value;
            return reader.real(value, derived.scale);
        case Key::offset:
            scale = value;
            return reader.real(value, derived.offset);
        case Key::enum_:
            return load_enum_use(reader, value, UINT64_MAX, derived.enumeration);
        case Key::title:
            return reader.text(value, derived.title);
        default:
            return reader.text(value, derived.description);
        }
    });
    if (!ok || !check_top_name(reader, name, derived.name)) {
        return false;
    }
    if (derived.value == none && !derived.parameter) {
        return reader.fail(node, "a derived value needs \"value\"",
                           "add it, or \"parameter\": true where only the user knows it");
    }
    if ((scale != no_node) != (derived.display == Display::scaled)) {
        return reader.fail(scale != no_node ? scale : display,
                           "a scale and \"display\": \"scaled\" belong together", "give both or none");
    }
    if (!reader.state.add_name(scope::top, derived.name, {Symbol::Kind::derived, index}, reader.place(name),
                               "the derived value")) {
        return false;
    }
    reader.tables.derived.push_back(derived);
    return true;
}

bool load_one_check(Reader& reader, NodeIndex node) {
    Check check;
    const auto index = static_cast<Index>(reader.tables.checks.size());
    NodeIndex name = no_node;
    const bool ok = reader.object(node, check_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::name:
            name = value;
            return reader.text(value, check.name);
        case Key::expect:
            return reader.expression(value, {}, check.expect);
        case Key::when:
            return reader.expression(value, {}, check.when);
        case Key::severity:
            return reader.word(value, check.severity) &&
                   (check.severity != Severity::ok || reader.fail(value, "a check that fails is not \"ok\"",
                                                                  "use notice, warning or critical"));
        case Key::meaning:
            return reader.text(value, check.meaning);
        case Key::advice:
            return reader.text(value, check.advice);
        default:
            return reader.texts(value, "a group", check.groups);
        }
    });
    if (!ok) {
        return false;
    }
    if (check.name.size == 0) {
        return reader.fail(name, "a check without a name", "name it");
    }
    reader.tables.checks.push_back(check);
    return reader.state.add_name(scope::checks, check.name, {Symbol::Kind::nothing, index},
                                 reader.place(name), "the check");
}

// A member that names a space or structure.
bool find_named(Reader& reader, NodeIndex node, Index where, std::string_view kind, Index& out) {
    std::string_view name;
    if (!reader.string(node, name)) {
        return false;
    }
    out = reader.state.symbols.find(where, name).index;
    return out != none || reader.fail(node, fmt::format("there is no {} \"{}\"", kind, name),
                                      name_remedy(name, reader.state.symbols.names_in(where)));
}

bool load_one_log(Reader& reader, NodeIndex node) {
    Log log;
    const auto index = static_cast<Index>(reader.tables.logs.size());
    NodeIndex name = no_node;
    const bool ok = reader.object(node, log_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::name:
            name = value;
            return reader.name(value, log.name);
        case Key::space:
            return find_named(reader, value, scope::spaces, "space", log.space);
        case Key::base:
            return reader.expression(value, {}, log.base);
        case Key::entry:
            return find_named(reader, value, scope::structures, "structure", log.entry);
        case Key::count:
            return reader.expression(value, {}, log.count);
        case Key::producer:
            return load_register_reference(reader, value, log.producer);
        default:
            return reader.text(value, log.title);
        }
    });
    if (!ok) {
        return false;
    }
    reader.tables.logs.push_back(log);
    return reader.state.add_name(scope::logs, log.name, {Symbol::Kind::nothing, index}, reader.place(name),
                                 "the log");
}

} // namespace

bool load_derived(Reader& reader, NodeIndex list) {
    return reader.list(list, "\"derived\"", [&](NodeIndex node) { return load_one_derived(reader, node); });
}

bool load_checks(Reader& reader, NodeIndex list) {
    return reader.list(list, "\"checks\"", [&](NodeIndex node) { return load_one_check(reader, node); });
}

bool load_logs(Reader& reader, NodeIndex list) {
    return reader.list(list, "\"logs\"", [&](NodeIndex node) { return load_one_log(reader, node); });
}

} // namespace barscope::regmaps
