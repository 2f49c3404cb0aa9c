#include <evidence/head_members.h>

#include <evidence/json_dump.h>

#include <array>

#include <nlohmann/json.hpp>

#include <ctime>

#include <context/host.h>
#include <device/files.h>
#include <render/checks.h>
#include <render/digits.h>
#include <render/examination.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

using nlohmann::json;

// Bytes that are not UTF-8 become the text \xNN, as everywhere.
std::string utf8(std::string_view text) {
    std::string quoted;
    append_json_string(quoted, text);
    const json parsed = json::parse(quoted, nullptr, false);
    return parsed.is_string() ? parsed.get<std::string>() : std::string();
}

std::uint64_t nanoseconds(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::string rfc3339(std::uint64_t ns) {
    const auto seconds = static_cast<std::time_t>(ns / 1'000'000'000);
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    std::string millis = std::to_string(ns / 1'000'000 % 1000);
    millis.insert(0, 3 - millis.size(), '0');
    return std::string(text.data(), size) + "." + millis + "Z";
}

// What `info` tells, as one object.
json examination(const Examination& device) {
    Output output(-1); // its text is taken before it would be written
    render_examination_json(output, device);
    json whole = json::parse(output.text(), nullptr, false);
    output.text().clear();
    json flat = whole.value("device", json::object());
    whole.erase("device");
    whole.erase("tool");
    whole.erase("map");
    flat.update(whole);
    return flat;
}

// Versions that the driver tells of the firmware.
json firmware_versions(const std::vector<Collected>& context) {
    json versions = json::object();
    for (const Collected& collected : context) {
        const bool driver = collected.name.starts_with("ethtool -i");
        for (const auto& [name, value] : collected.values) {
            if (driver ? name == "firmware-version" || name == "expansion-rom-version"
                       : collected.name == "devlink dev info" && name.starts_with("running ")) {
                versions[driver ? name : "devlink " + name] = utf8(value);
            }
        }
    }
    return versions;
}

json driver_facts(const Examination& device, const std::vector<Collected>& context) {
    json parameters = json::object();
    for (const Collected& collected : context) {
        if (collected.name == "module parameters") {
            for (const auto& [name, value] : collected.values) {
                parameters[name] = utf8(value);
            }
        }
    }
    return {
        {"name", device.facts.driver}, {"version", utf8(device.driver_version)}, {"parameters", parameters}};
}

const char* log_format(const CollectedSource& source) {
    switch (source.format) {
    case fwlog::Format::kmsg:
        return "kmsg";
    case fwlog::Format::table:
        return "table";
    default:
        return "rows";
    }
}

// A record's row as its source had it; of a ring in device memory its message, since its bytes are no text.
void add_row(json& rows, const fwlog::Record& record, bool text) {
    const std::string_view row = text ? record.raw : record.message;
    rows.push_back(utf8(row));
    if (text && !record.extra.empty()) {
        rows.push_back(utf8(record.extra));
    }
}

} // namespace

// From the highest byte down, as lspci writes it. The maps take it from its capability (PCI Express Base
// Specification, 7.9.3).
std::string serial_number(const Subject& subject, const Capture* capture) {
    std::string text;
    for (std::size_t i = 0; capture != nullptr && i < capture->decoded.derived.size(); ++i) {
        const regmaps::DecodedValue& value = capture->decoded.derived[i];
        if (subject.map.text(subject.map.derived[value.derived].name) == "device_serial_number" &&
            value.value) {
            for (unsigned shift = 64; shift > 0;) {
                shift -= 8;
                text += text.empty() ? "" : "-";
                append_hex_digits(text, *value.value >> shift & 0xff, 2);
            }
        }
    }
    return text;
}

std::string created_member() {
    return dump_json({{"time", rfc3339(nanoseconds(CLOCK_REALTIME))},
                      {"monotonicNs", std::to_string(nanoseconds(CLOCK_MONOTONIC))}});
}

std::string host_member(const safety::SystemRoot& root) {
    json host = json::object();
    for (const auto& [name, value] : host_facts(root)) {
        host[name] = utf8(value);
    }
    return dump_json(host);
}

std::string device_member(const Examination& device, const Subject& subject, const Capture* capture,
                          const std::vector<Collected>& context) {
    json facts = examination(device);
    facts["driver"] = driver_facts(device, context);
    facts["firmware"] = firmware_versions(context);
    facts["serial"] = serial_number(subject, capture);
    // The kernel reads vital product data by writing an address into the device: that is no reading.
    facts["vpd"] = {{"status", "not-asked"}, {"why", "reading it makes the kernel write to the device"}};
    if (const auto slot = read_attribute(device.facts.directory + "/label")) {
        facts["slot"] = utf8(*slot);
    }
    return dump_json(facts);
}

std::string context_member(const std::vector<Collected>& context) {
    json all = json::array();
    for (const Collected& collected : context) {
        json values = json::object();
        for (const auto& [key, value] : collected.values) {
            // A name that stands twice keeps both values.
            std::string unique = utf8(key);
            for (int i = 2; values.contains(unique); ++i) {
                unique = utf8(key) + " (" + std::to_string(i) + ")";
            }
            values[unique] = utf8(value);
        }
        all.push_back({{"name", collected.name},
                       {"source", collected.source},
                       {"kind", name(collected.kind)},
                       {"status", name(collected.status)},
                       {"why", utf8(collected.why)},
                       {"monotonicNs", std::to_string(collected.monotonic_ns)},
                       {"values", values}});
    }
    return dump_json_lines(all);
}

std::string logs_member(const CollectedLog& log) {
    json all = json::array();
    for (const CollectedSource& source : log.sources) {
        json rows = json::array();
        const bool ring = source.name.starts_with("ring");
        for (const fwlog::Record& record : log.records) {
            if (record.source == source.name) {
                add_row(rows, record, !ring);
            }
        }
        all.push_back({{"name", source.name},
                       {"source", source.where},
                       {"format", log_format(source)},
                       {"status", name(source.state)},
                       {"why", utf8(source.error ? to_string(*source.error) : source.note)},
                       {"rows", rows},
                       {"omitted", 0},
                       {"others", source.format == fwlog::Format::kmsg ? log.others : 0}});
    }
    if (!all.empty()) {
        all.front()["omitted"] = log.not_kept;
    }
    return dump_json_lines(all);
}

std::string checks_member(const Subject& subject, const Capture& capture) {
    std::vector<regmaps::Index> every(subject.map.checks.size());
    for (regmaps::Index i = 0; i < every.size(); ++i) {
        every[i] = i;
    }
    Output output(-1); // its text is taken before it would be written
    render_checks_json(output, subject, capture, every);
    const json whole = json::parse(output.text(), nullptr, false);
    output.text().clear();
    return dump_json_lines(whole.is_object() ? whole.value("checks", json::array()) : json::array());
}

} // namespace barscope::tool
