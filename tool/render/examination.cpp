#include <render/examination.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/inventory.h>
#include <render/size_text.h>
#include <render/table.h>

namespace barscope::tool {

namespace {

std::string_view kind_name(const safety::Bar& bar) {
    switch (bar.kind) {
    case safety::BarKind::absent:
        return "absent";
    case safety::BarKind::memory32:
        return "32-bit memory";
    case safety::BarKind::memory64:
        return "64-bit memory";
    case safety::BarKind::io:
        return "I/O ports";
    case safety::BarKind::upper_half:
        return "upper half of the BAR before it";
    }
    return "absent";
}

void append_fact(std::string& out, std::string_view label, std::string_view text) {
    if (text.empty()) {
        return;
    }
    out += label;
    pad(out, label.size(), 12);
    append_safe(out, text);
    out += '\n';
}

std::string joined(const KernelNames& names) {
    std::string text;
    const auto add = [&](std::string_view kind, const std::vector<std::string>& list) {
        for (const std::string& name : list) {
            text += text.empty() ? "" : ", ";
            text += kind;
            text += ' ';
            text += name;
        }
    };
    add("net", names.net);
    add("rdma", names.rdma);
    add("nvme", names.nvme);
    return text;
}

std::string link_text(const Examination& device) {
    std::string text;
    if (!device.link.speed.empty()) {
        text = device.link.speed + ", x" + device.link.width;
        if (!device.link.max_speed.empty()) {
            text += " (at most " + device.link.max_speed + ", x" + device.link.max_width + ")";
        }
        return text;
    }
    if (device.config_link.max_width != 0) {
        text += link_speed_name(device.config_link.speed);
        text += ", x" + std::to_string(device.config_link.width) + " (at most ";
        text += link_speed_name(device.config_link.max_speed);
        text += ", x" + std::to_string(device.config_link.max_width) + ")";
    }
    return text;
}

std::string driver_text(const safety::DeviceFacts& facts) {
    if (facts.driver.empty()) {
        return "none bound";
    }
    const std::string_view owner = safety::explain(safety::owner_of(facts.driver));
    return owner.empty() ? facts.driver : facts.driver + " (" + std::string(owner) + ")";
}

void append_heading(std::string& out, const Style& style, std::string_view text) {
    out += '\n';
    style.put(out, Ink::heading, text);
    out += '\n';
}

void append_bars(std::string& out, const Style& style, const safety::DeviceFacts& facts) {
    append_heading(out, style, "BARs");
    Table table({});
    for (std::size_t i = 0; i < facts.bars.size(); ++i) {
        const safety::Bar& bar = facts.bars.at(i);
        Table::Row row{{"  " + std::to_string(i)},
                       {std::string(kind_name(bar)) + (bar.prefetchable ? ", prefetchable" : "")}};
        if (bar.size != 0) {
            std::string start, size;
            append_hex(start, bar.start);
            append_size(size, bar.size);
            row.push_back({start});
            row.push_back({size});
        }
        table.add(std::move(row));
    }
    table.append(out, style);
}

void append_capabilities(std::string& out, const Style& style, const std::vector<Capability>& capabilities) {
    if (capabilities.empty()) {
        return;
    }
    append_heading(out, style, "capabilities");
    Table table({});
    for (const Capability& capability : capabilities) {
        std::string offset = "  ", id;
        append_hex(offset, capability.offset, 3);
        append_hex(id, capability.id, capability.extended ? 4 : 2);
        const std::string_view name = capability_name(capability.extended, capability.id);
        table.add({{offset}, {id}, {std::string(name.empty() ? "unknown" : name)}});
    }
    table.append(out, style);
}

void write_bars(JsonWriter& json, const safety::DeviceFacts& facts) {
    json.key("bars");
    json.begin_array();
    for (std::size_t i = 0; i < facts.bars.size(); ++i) {
        const safety::Bar& bar = facts.bars.at(i);
        json.begin_object();
        json.member_number("bar", i);
        json.member("kind", kind_name(bar));
        json.member_bool("prefetchable", bar.prefetchable);
        json.member_hex("start", bar.start);
        json.member_hex("size", bar.size);
        json.member_hex("flags", bar.flags);
        json.end_object();
    }
    json.end_array();
}

void write_link(JsonWriter& json, const Examination& device) {
    json.key("link");
    json.begin_object();
    json.member("speed", device.link.speed);
    json.member("width", device.link.width);
    json.member("maxSpeed", device.link.max_speed);
    json.member("maxWidth", device.link.max_width);
    json.key("config");
    if (device.config_link.max_width == 0) {
        json.null();
    } else {
        json.begin_object();
        json.member("speed", link_speed_name(device.config_link.speed));
        json.member_number("width", device.config_link.width);
        json.member("maxSpeed", link_speed_name(device.config_link.max_speed));
        json.member_number("maxWidth", device.config_link.max_width);
        json.end_object();
    }
    json.end_object();
}

void write_capabilities(JsonWriter& json, const std::vector<Capability>& capabilities) {
    json.key("capabilities");
    json.begin_array();
    for (const Capability& capability : capabilities) {
        json.begin_object();
        json.member_hex("offset", capability.offset, 2);
        json.member_hex("id", capability.id, capability.extended ? 4 : 2);
        json.member_bool("extended", capability.extended);
        json.member("name", capability_name(capability.extended, capability.id));
        json.end_object();
    }
    json.end_array();
}

} // namespace

void append_verdicts(std::string& out, const Style& style, const std::vector<safety::Verdict>& verdicts) {
    std::size_t width = 4;
    std::size_t word_width = 7; // "refused"
    for (const safety::Verdict& verdict : verdicts) {
        width = std::max(width, verdict.check.size());
        word_width = verdict.checked ? word_width : 11; // "not checked"
    }
    for (const safety::Verdict& verdict : verdicts) {
        out += "  ";
        const std::string_view word = !verdict.passed   ? "refused"
                                      : verdict.checked ? "passed"
                                                        : "not checked";
        style.put(out, !verdict.passed ? Ink::critical : verdict.checked ? Ink::good : Ink::warning, word);
        pad(out, word.size(), word_width);
        out += "  ";
        append_safe(out, verdict.check);
        pad(out, verdict.check.size(), width);
        out += "  ";
        append_safe(out, verdict.detail);
        out += '\n';
        if (verdict.refusal && !verdict.refusal->remedy.empty()) {
            out.append(6 + word_width + width, ' ');
            append_safe(out, verdict.refusal->remedy);
            out += '\n';
        }
    }
}

void write_verdicts(JsonWriter& json, const std::vector<safety::Verdict>& verdicts) {
    json.key("verdicts");
    json.begin_array();
    for (const safety::Verdict& verdict : verdicts) {
        json.break_line();
        json.begin_object();
        json.member("check", verdict.check);
        json.member_bool("passed", verdict.passed);
        json.member_bool("checked", verdict.checked);
        json.member("detail", verdict.detail);
        json.member("cause", verdict.refusal ? std::string_view(verdict.refusal->cause) : std::string_view());
        json.member("remedy",
                    verdict.refusal ? std::string_view(verdict.refusal->remedy) : std::string_view());
        json.end_object();
    }
    json.end_array();
}

void render_examination_text(Output& output, const Style& style, const Examination& device) {
    std::string& out = output.text();
    const safety::DeviceFacts& facts = device.facts;
    style.begin(out, Ink::heading);
    out += to_string(facts.address);
    out += "  ";
    append_facts(out, facts);
    if (device.map) {
        out += "  ";
        append_map(out, *device.map);
    } else {
        out += "  no map";
    }
    style.end(out, Ink::heading);
    out += "\n\n";
    std::string ids, class_text;
    append_hex_digits(ids, facts.subsystem_vendor, 4);
    ids += ':';
    append_hex_digits(ids, facts.subsystem_device, 4);
    append_hex(class_text, facts.class_code, 6);
    append_fact(out, "device", device.description);
    append_fact(out, "class", class_text + (device.class_name.empty() ? "" : "  " + device.class_name));
    append_fact(out, "subsystem", ids);
    append_fact(out, "names", joined(device.names));
    append_fact(out, "driver", driver_text(facts));
    append_fact(out, "version", device.driver_version);
    append_fact(out, "power",
                facts.power_state +
                    (facts.runtime_status.empty() ? "" : ", runtime " + facts.runtime_status));
    append_fact(out, "link", link_text(device));
    append_fact(out, "VF of", facts.physical_function ? to_string(*facts.physical_function) : std::string());
    append_fact(out, "NUMA node", device.numa_node);
    append_fact(out, "IOMMU group", device.iommu_group);
    append_fact(out, "files", facts.directory);
    if (device.map && !device.specific) {
        append_fact(out, "map", "only the general one fits: configuration space");
    }
    if (device.map_error) {
        append_fact(out, "map", to_string(*device.map_error));
    }
    append_bars(out, style, facts);
    append_capabilities(out, style, device.capabilities);
    append_heading(out, style, "may its BARs be read?");
    append_verdicts(out, style, device.verdicts);
}

void render_examination_json(Output& output, const Examination& device) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_device(json, device.facts, device.description);
    json.break_line();
    json.member("className", device.class_name);
    write_names(json, device.names);
    json.member("owner", safety::name(safety::owner_of(device.facts.driver)));
    json.member("driverVersion", device.driver_version);
    json.member("powerState", device.facts.power_state);
    json.member("runtimeStatus", device.facts.runtime_status);
    json.member("physicalFunction",
                device.facts.physical_function ? to_string(*device.facts.physical_function) : std::string());
    json.member("numaNode", device.numa_node);
    json.member("iommuGroup", device.iommu_group);
    json.break_line();
    write_bars(json, device.facts);
    json.break_line();
    write_link(json, device);
    json.break_line();
    write_capabilities(json, device.capabilities);
    json.break_line();
    write_verdicts(json, device.verdicts);
    json.break_line();
    if (device.map) {
        write_map(json, *device.map);
    } else {
        json.key("map");
        json.null();
    }
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
