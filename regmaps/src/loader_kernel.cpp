// What a map says of the kernel: counters that it keeps, and drivers' register dumps.
#include <algorithm>

#include <fmt/format.h>

#include "loader_parts.h"

namespace barscope::regmaps {

namespace {

constexpr ObjectShape counter_shape = {
    "a counter",
    {Key::name, Key::net, Key::side_effect_free, Key::unit, Key::title, Key::description, Key::source},
    {Key::name, Key::net}};
constexpr ObjectShape dump_shape = {
    "a driver's dump",
    {Key::driver, Key::side_effect_free, Key::title, Key::description, Key::source},
    {Key::driver}};

// Files of a network interface's folder that hold one number: Linux Documentation/ABI/testing/sysfs-class-net
// and sysfs-class-net-statistics. No others, so that no map can name a file whose reading is something else.
bool is_counter_file(std::string_view file) {
    constexpr std::string_view folder = "statistics/";
    if (!file.starts_with(folder)) {
        return file == "carrier_changes" || file == "carrier_up_count" || file == "carrier_down_count";
    }
    const std::string_view name = file.substr(folder.size());
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

bool load_file(Reader& reader, NodeIndex node, Text& out) {
    std::string_view file;
    if (!reader.string(node, file)) {
        return false;
    }
    return is_counter_file(file)
               ? reader.text(node, out)
               : reader.fail(node, fmt::format("\"{}\" is no counter of a network interface", file),
                             "write \"statistics/NAME\", \"carrier_changes\", \"carrier_up_count\" or "
                             "\"carrier_down_count\"");
}

bool load_one_counter(Reader& reader, NodeIndex node) {
    Counter counter;
    const auto index = static_cast<Index>(reader.tables.counters.size());
    NodeIndex name = no_node;
    const bool ok = reader.object(node, counter_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::name:
            name = value;
            return reader.name(value, counter.name);
        case Key::net:
            return load_file(reader, value, counter.net);
        case Key::side_effect_free:
            return reader.boolean(value, counter.side_effect_free);
        case Key::unit:
            return reader.text(value, counter.unit);
        case Key::title:
            return reader.text(value, counter.title);
        case Key::description:
            return reader.text(value, counter.description);
        default:
            return reader.text(value, counter.source);
        }
    });
    if (!ok || !check_top_name(reader, name, counter.name) ||
        !reader.state.add_name(scope::top, counter.name, {Symbol::Kind::counter, index}, reader.place(name),
                               "the counter")) {
        return false;
    }
    reader.tables.counters.push_back(counter);
    return true;
}

bool load_one_dump(Reader& reader, NodeIndex node) {
    DriverDump dump;
    const auto index = static_cast<Index>(reader.tables.driver_dumps.size());
    NodeIndex driver = no_node;
    const bool ok = reader.object(node, dump_shape, [&](Key key, NodeIndex value) {
        switch (key) {
        case Key::driver:
            driver = value;
            return reader.text(value, dump.driver);
        case Key::side_effect_free:
            return reader.boolean(value, dump.side_effect_free);
        case Key::title:
            return reader.text(value, dump.title);
        case Key::description:
            return reader.text(value, dump.description);
        default:
            return reader.text(value, dump.source);
        }
    });
    if (!ok) {
        return false;
    }
    if (dump.driver.size == 0) {
        return reader.fail(driver, "no driver is named", "name the driver whose dump this is");
    }
    reader.tables.driver_dumps.push_back(dump);
    return reader.state.add_name(scope::driver_dumps, dump.driver, {Symbol::Kind::nothing, index},
                                 reader.place(driver), "the driver's dump");
}

} // namespace

bool load_counters(Reader& reader, NodeIndex list) {
    return reader.list(list, "\"counters\"", [&](NodeIndex node) { return load_one_counter(reader, node); });
}

bool load_driver_dumps(Reader& reader, NodeIndex list) {
    return reader.list(list, "\"driverDumps\"", [&](NodeIndex node) { return load_one_dump(reader, node); });
}

} // namespace barscope::regmaps
