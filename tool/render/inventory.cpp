#include <render/inventory.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/json_writer.h>
#include <render/table.h>

namespace barscope::tool {

namespace {

std::string ids_text(const safety::DeviceFacts& facts) {
    std::string text;
    append_hex_digits(text, facts.vendor, 4);
    text += ':';
    append_hex_digits(text, facts.device, 4);
    return text;
}

std::string names_text(const KernelNames& names) {
    std::string text;
    for (const std::vector<std::string>* kind : {&names.net, &names.rdma, &names.nvme}) {
        for (const std::string& name : *kind) {
            text += text.empty() ? "" : " ";
            append_safe(text, name);
        }
    }
    return text.empty() ? "-" : text;
}

std::string description_text(const ListedDevice& device) {
    std::string text;
    append_safe(text, device.description);
    if (text.empty() && device.facts) {
        append_safe(text, device.class_name);
    }
    if (text.empty() && device.facts) {
        text = "class ";
        append_hex(text, device.facts->class_code, 6);
    }
    return text;
}

Table::Row row_of(const ListedDevice& device) {
    const std::string driver =
        device.facts && !device.facts->driver.empty() ? escaped(device.facts->driver) : "-";
    const bool readable = !device.reason;
    return {{to_string(device.address)},
            {device.facts ? ids_text(*device.facts) : "?"},
            {driver},
            {names_text(device.names)},
            {device.map.empty() ? "-" : escaped(device.map)},
            {readable ? "yes" : "no", readable ? Ink::good : Ink::warning},
            {description_text(device)}};
}

// Under the device's row: why it cannot be read, or who else is at it.
std::string remark_on(const ListedDevice& device) {
    if (device.reason) {
        return "not readable: " + to_string(*device.reason);
    }
    const std::string_view owner = device.facts && !device.facts->driver.empty()
                                       ? safety::explain(safety::owner_of(device.facts->driver))
                                       : std::string_view();
    return owner.empty() ? std::string() : escaped(device.facts->driver) + ": " + std::string(owner);
}

void append_group(std::string& out, const Style& style, const std::vector<ListedDevice>& devices,
                  bool specific) {
    Table table({"ADDRESS", "IDS", "DRIVER", "NAMES", "MAP", "READABLE", "DEVICE"});
    for (const ListedDevice& device : devices) {
        if (device.specific == specific) {
            table.add(row_of(device), remark_on(device));
        }
    }
    table.append(out, style);
}

} // namespace

void write_names(JsonWriter& json, const KernelNames& names) {
    json.key("names");
    json.begin_object();
    const auto write = [&](std::string_view kind, const std::vector<std::string>& list) {
        json.key(kind);
        json.begin_array();
        for (const std::string& name : list) {
            json.string(name);
        }
        json.end_array();
    };
    write("net", names.net);
    write("rdma", names.rdma);
    write("nvme", names.nvme);
    json.end_object();
}

void render_inventory_text(Output& output, const Style& style, const std::vector<ListedDevice>& devices) {
    std::string& out = output.text();
    const auto specific = std::count_if(devices.begin(), devices.end(),
                                        [](const ListedDevice& device) { return device.specific; });
    if (devices.empty()) {
        out += "no PCI devices\n";
        return;
    }
    if (specific != 0) {
        append_group(out, style, devices, true);
    }
    if (static_cast<std::size_t>(specific) != devices.size()) {
        out += specific != 0 ? "\nWithout a map of their own (configuration space only):\n" : "";
        append_group(out, style, devices, false);
    }
}

void render_inventory_json(Output& output, const std::vector<ListedDevice>& devices) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    json.key("devices");
    json.begin_array();
    for (const ListedDevice& device : devices) {
        json.break_line();
        json.begin_object();
        json.member("address", to_string(device.address));
        if (device.facts) {
            json.member_hex("vendor", device.facts->vendor, 4);
            json.member_hex("device", device.facts->device, 4);
            json.member_hex("class", device.facts->class_code, 6);
            json.member_hex("revision", device.facts->revision, 2);
            json.member("className", device.class_name);
            json.member("description", device.description);
            json.member("driver", device.facts->driver);
            json.member("owner", safety::name(safety::owner_of(device.facts->driver)));
        }
        write_names(json, device.names);
        json.member("map", device.map);
        json.member("mapVersion", device.map_version);
        json.member_bool("mapIsSpecific", device.specific);
        json.member_bool("readable", !device.reason);
        json.member("reason", device.reason ? to_string(*device.reason) : std::string());
        json.member("cause", device.reason ? std::string_view(device.reason->cause) : std::string_view());
        json.end_object();
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
