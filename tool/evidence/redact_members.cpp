#include <evidence/redact_members.h>

#include <evidence/json_dump.h>

#include <algorithm>
#include <array>
#include <functional>

#include <nlohmann/json.hpp>

#include <evidence/canonical_json.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

using nlohmann::json;

// Values that are the program's own words or numbers.
bool is_own(std::string_view key) {
    constexpr std::array<std::string_view, 26> own{"address",
                                                   "vendor",
                                                   "device",
                                                   "subsystemVendor",
                                                   "subsystemDevice",
                                                   "class",
                                                   "revision",
                                                   "physicalFunction",
                                                   "kind",
                                                   "status",
                                                   "cause",
                                                   "check",
                                                   "offset",
                                                   "id",
                                                   "code",
                                                   "name",
                                                   "format",
                                                   "result",
                                                   "severity",
                                                   "expect",
                                                   "monotonicNs",
                                                   "powerState",
                                                   "owner",
                                                   "map",
                                                   "mapVersion",
                                                   "meaning"};
    return std::find(own.begin(), own.end(), key) != own.end();
}

using Change = std::function<std::string(std::string_view key, const std::string& text)>;

void change_texts(json& value, std::string_view key, const Change& change) {
    if (value.is_string()) {
        if (!is_own(key)) {
            value = change(key, value.get_ref<const std::string&>());
        }
    } else if (value.is_array()) {
        for (json& element : value) {
            change_texts(element, key, change);
        }
    } else if (value.is_object()) {
        for (auto& [name, member] : value.items()) {
            change_texts(member, name, change);
        }
    }
}

void change_host(json& host, Redaction& redaction) {
    Pseudonyms& pseudonyms = redaction.pseudonyms();
    for (auto& [name, value] : host.items()) {
        if (!value.is_string()) {
            continue;
        }
        const std::string& text = value.get_ref<const std::string&>();
        if (name == "hostName") {
            value = pseudonyms.of(IdentityKind::host, lower(text.substr(0, text.find('.'))));
        } else if (name == "user") {
            value = text == "root" || text == "uid 0" ? text : pseudonyms.of(IdentityKind::user, lower(text));
        } else if (name == "bootId") {
            value = pseudonyms.of(IdentityKind::uuid, hex_digits_of(text));
        } else if (name == "kernelCommandLine") {
            value = pseudonyms.of(IdentityKind::command_line, text);
        } else if (name == "distribution") {
            value = redaction.known_in(text);
        }
    }
}

// A collector's values: their names come from outside as well.
json change_values(const json& values, Redaction& redaction) {
    json changed = json::object();
    for (const auto& [name, value] : values.items()) {
        const std::string key = redaction.text(name);
        std::string unique = key;
        for (int i = 2; changed.contains(unique); ++i) {
            unique = key + " (" + std::to_string(i) + ")";
        }
        changed[unique] =
            value.is_string() ? json(redaction.value(name, value.get_ref<const std::string&>())) : value;
    }
    return changed;
}

void change_context(json& context, Redaction& redaction) {
    for (json& collector : context) {
        for (const char* name : {"name", "source", "why"}) {
            if (collector.contains(name) && collector[name].is_string()) {
                collector[name] = redaction.text(collector[name].get_ref<const std::string&>());
            }
        }
        if (collector.contains("values")) {
            collector["values"] = change_values(collector["values"], redaction);
        }
    }
}

// The map itself stays, byte for byte: without it nobody could decode the words.
Result<std::string> change_map(const std::string& text, Redaction& redaction) {
    const auto members = split_members(text, "map");
    if (!members) {
        return fail(members.error());
    }
    std::string out = text;
    for (const JsonMember& member : *members) {
        const json origin = member.key == "origin" ? json::parse(member.text, nullptr, false) : json();
        if (origin.is_string() && origin != "built in") {
            std::string quoted;
            append_canonical_string(quoted,
                                    redaction.pseudonyms().of(IdentityKind::path, origin.get<std::string>()));
            out.replace(static_cast<std::size_t>(member.text.data() - text.data()), member.text.size(),
                        quoted);
        }
    }
    return out;
}

} // namespace

void learn_from_context(const std::string& context, Redaction& redaction) {
    const json all = json::parse(context, nullptr, false);
    for (const json& collector : all.is_array() ? all : json::array()) {
        const json values =
            collector.is_object() ? collector.value("values", json::object()) : json::object();
        for (const auto& [name, value] : values.items()) {
            if (!value.is_string()) {
                continue;
            }
            const std::string& text = value.get_ref<const std::string&>();
            constexpr std::size_t shortest = 4;
            const auto address = identity_at(text, 0, redaction.known().macs());
            if (address && address->size == text.size()) {
                redaction.known().add_address(text);
            } else if (lower(name).find("serial") != std::string::npos && text.size() >= shortest) {
                redaction.known().add_name(IdentityKind::serial, text);
            }
        }
    }
}

Result<void> redact_member(DocumentMember& member, Redaction& redaction) {
    if (member.name == "map" && member.text != "null") {
        auto changed = change_map(member.text, redaction);
        if (!changed) {
            return fail(std::move(changed.error()));
        }
        member.text = std::move(*changed);
        return {};
    }
    if (member.name == "decoded") {
        member.text = redaction.numbers_in(member.text);
        return {};
    }
    constexpr std::array<std::string_view, 6> with_texts{"label",  "host", "device",
                                                         "checks", "logs", "context"};
    if (std::find(with_texts.begin(), with_texts.end(), member.name) == with_texts.end()) {
        return {};
    }
    json value = json::parse(member.text, nullptr, false);
    if (member.name == "host") {
        change_host(value, redaction);
    } else if (member.name == "context") {
        change_context(value, redaction);
    } else if (member.name == "checks") {
        change_texts(value, {},
                     [&](std::string_view, const std::string& text) { return redaction.known_in(text); });
    } else {
        change_texts(value, {}, [&](std::string_view key, const std::string& text) {
            return redaction.value(key, text);
        });
    }
    member.text = value.is_array() ? dump_json_lines(value) : dump_json(value);
    return {};
}

} // namespace barscope::tool
