#include <render/identity.h>

#include <render/digits.h>
#include <render/escape.h>

namespace barscope::tool {

namespace {

// Files of the device itself are told by name alone: the line already says which device, and there is one way
// to read each. The document has the whole.
void append_source(std::string& out, const Subject& subject, std::string_view description) {
    if (subject.recording != nullptr) {
        description = description.substr(0, description.find(" ("));
        description.remove_prefix(description.rfind('/') + 1);
    } else if (subject.facts && description.starts_with(subject.facts->directory + "/")) {
        description.remove_prefix(subject.facts->directory.size() + 1);
        description = description.substr(0, description.find(" ("));
    }
    append_safe(out, description);
}

void append_ids(std::string& out, std::uint16_t vendor, std::uint16_t device) {
    append_hex_digits(out, vendor, 4);
    out += ':';
    append_hex_digits(out, device, 4);
}

void write_identity(JsonWriter& json, const regmaps::PciIdentity& pci) {
    json.member_hex("vendor", pci.vendor, 4);
    json.member_hex("device", pci.device, 4);
    json.member_hex("subsystemVendor", pci.subsystem_vendor, 4);
    json.member_hex("subsystemDevice", pci.subsystem_device, 4);
    json.member_hex("class", pci.class_code, 6);
    json.member_hex("revision", pci.revision, 2);
}

} // namespace

// What a snapshot says of its device, and which file and moment it is.
static void append_recorded(std::string& out, const Subject& subject) {
    append_safe(out, subject.recorded.address);
    out += "  ";
    append_ids(out, subject.pci.vendor, subject.pci.device);
    out += " rev ";
    append_hex(out, subject.pci.revision, 2);
    out += subject.recorded.driver.empty() ? "  no driver" : "  driver ";
    append_safe(out, subject.recorded.driver);
    out += "  snapshot ";
    append_safe(out, subject.file);
    out += " of ";
    append_safe(out, subject.recorded.created);
}

void append_facts(std::string& out, const safety::DeviceFacts& facts) {
    append_ids(out, facts.vendor, facts.device);
    out += " rev ";
    append_hex(out, facts.revision, 2);
    out += facts.driver.empty() ? "  no driver" : "  driver ";
    append_safe(out, facts.driver);
}

void append_map(std::string& out, const regmaps::RegisterMap& map) {
    out += "map ";
    append_safe(out, map.name);
    out += ' ';
    append_safe(out, map.version);
    out += " (";
    append_safe(out, map.origin);
    out += ')';
}

void append_identity(std::string& out, const Style& style, const Subject& subject, const Capture* capture) {
    style.begin(out, Ink::heading);
    if (subject.facts) {
        out += to_string(subject.facts->address);
        out += "  ";
        append_facts(out, *subject.facts);
    } else if (subject.recording != nullptr) {
        append_recorded(out, subject);
    } else {
        append_safe(out, subject.file);
        if (subject.dump_config != nullptr) {
            out += "  ";
            append_ids(out, subject.pci.vendor, subject.pci.device);
            out += " rev ";
            append_hex(out, subject.pci.revision, 2);
        }
    }
    out += "  ";
    append_map(out, subject.map);
    for (std::size_t i = 0; capture != nullptr && i < capture->sources.size(); ++i) {
        out += i == 0 ? "  from " : ", ";
        append_source(out, subject, capture->sources[i].description);
    }
    if (!subject.root_path.empty()) {
        out += "  below ";
        append_safe(out, subject.root_path);
    }
    style.end(out, Ink::heading);
    out += '\n';
}

void write_tool(JsonWriter& json) {
    json.key("tool");
    json.begin_object();
    json.member("name", "barscope");
    json.member("version", BARSCOPE_VERSION);
    json.end_object();
}

void write_device(JsonWriter& json, const safety::DeviceFacts& facts, std::string_view description) {
    json.key("device");
    json.begin_object();
    json.member("address", to_string(facts.address));
    write_identity(json, identity_of(facts));
    json.member("driver", facts.driver);
    json.member("description", description);
    json.end_object();
}

void write_subject(JsonWriter& json, const Subject& subject) {
    if (subject.facts) {
        write_device(json, *subject.facts, subject.specific ? subject.map.title : std::string_view());
        return;
    }
    json.key("device");
    json.begin_object();
    json.member("file", subject.file);
    if (subject.recording != nullptr) {
        json.member("address", subject.recorded.address);
        json.member("driver", subject.recorded.driver);
        json.member("created", subject.recorded.created);
        json.member("integrity", subject.recorded.integrity);
    }
    if (subject.dump_config != nullptr) {
        write_identity(json, subject.pci);
    }
    json.end_object();
}

void write_map(JsonWriter& json, const regmaps::RegisterMap& map) {
    json.key("map");
    json.begin_object();
    json.member("name", map.name);
    json.member("version", map.version);
    json.member("origin", map.origin);
    json.end_object();
}

void write_error(JsonWriter& json, const Error& error) {
    json.begin_object();
    json.member("code", name(error.code));
    json.member("cause", error.cause);
    json.member("what", error.what);
    json.member("where", error.where);
    json.member("remedy", error.remedy);
    json.end_object();
}

} // namespace barscope::tool
