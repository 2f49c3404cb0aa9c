#include <audit/audit_entry.h>

#include <array>
#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <device/number.h>

namespace barscope::tool {

namespace {

constexpr std::array phases{AuditPhase::intent, AuditPhase::outcome};
constexpr std::array actions{AuditAction::write, AuditAction::read, AuditAction::select,
                             AuditAction::restore};

void write_value(JsonWriter& json, const char* key, const std::optional<std::uint64_t>& value,
                 unsigned width) {
    if (value) {
        json.member_hex(key, *value, width / 4);
    }
}

void write_text(JsonWriter& json, const char* key, const std::string& text) {
    if (!text.empty()) {
        json.member(key, text);
    }
}

void write_device(JsonWriter& json, const AuditEntry& entry) {
    json.key("device");
    json.begin_object();
    json.member("address", entry.address);
    json.member("vendor", entry.vendor);
    json.member("device", entry.device);
    json.member("driver", entry.driver);
    json.end_object();
    json.key("map");
    json.begin_object();
    json.member("name", entry.map);
    json.member("version", entry.map_version);
    write_text(json, "option", entry.map_option);
    json.end_object();
}

void write_undo(JsonWriter& json, const AuditEntry& entry) {
    if (entry.action != AuditAction::write || entry.phase != AuditPhase::intent) {
        return;
    }
    json.key("undo");
    json.begin_object();
    write_text(json, "target", entry.undo.target);
    write_value(json, "value", entry.undo.value, 4);
    write_text(json, "why", entry.undo.why);
    json.end_object();
}

// Members of a parsed line; what is missing or of another kind makes the line a foreign one.
class Line {
  public:
    explicit Line(const nlohmann::json& object) : object_(object) { whole_ = object.is_object(); }

    const nlohmann::json* find(const char* name) const {
        const auto found = object_.find(name);
        return found == object_.end() ? nullptr : &*found;
    }
    std::string text(const char* name, bool required = true) {
        const nlohmann::json* value = whole_ ? find(name) : nullptr;
        if (value == nullptr || !value->is_string()) {
            whole_ = whole_ && !required && value == nullptr;
            return {};
        }
        return value->get<std::string>();
    }
    std::uint64_t number(const char* name) {
        const nlohmann::json* value = whole_ ? find(name) : nullptr;
        if (value == nullptr || !value->is_number_unsigned()) {
            whole_ = false;
            return 0;
        }
        return value->get<std::uint64_t>();
    }
    std::optional<std::uint64_t> hex(const char* name) {
        const std::string digits = text(name, false);
        const auto value = digits.starts_with("0x") ? parse_number(digits) : std::nullopt;
        whole_ = whole_ && (digits.empty() || value);
        return value;
    }
    Line object(const char* name) {
        const nlohmann::json* value = whole_ ? find(name) : nullptr;
        static const nlohmann::json nothing = nlohmann::json::object();
        return Line(value == nullptr ? nothing : *value);
    }
    template <typename Names>
    void word(const char* key, const Names& among, typename Names::value_type& out) {
        const std::string given = text(key);
        for (const auto candidate : among) {
            if (name(candidate) == given) {
                out = candidate;
                return;
            }
        }
        whole_ = false;
    }
    void join(const Line& part) { whole_ = whole_ && part.whole_; }
    bool whole() const { return whole_; }

  private:
    const nlohmann::json& object_;
    bool whole_ = true;
};

void parse_who(Line& line, AuditEntry& entry) {
    entry.time = line.text("time");
    entry.user = line.text("user");
    entry.uid = line.number("uid");
    entry.sudo_user = line.text("sudoUser", false);
    entry.host = line.text("host");
    entry.root = line.text("root", false);
    Line device = line.object("device");
    entry.address = device.text("address");
    entry.vendor = device.text("vendor");
    entry.device = device.text("device");
    entry.driver = device.text("driver");
    line.join(device);
    Line map = line.object("map");
    entry.map = map.text("name");
    entry.map_version = map.text("version");
    entry.map_option = map.text("option", false);
    line.join(map);
}

void parse_what(Line& line, AuditEntry& entry) {
    entry.target = line.text("target");
    entry.reg = line.text("register", false);
    entry.space = line.text("space", false);
    entry.place = line.text("place");
    entry.offset = line.hex("offset").value_or(0);
    entry.width = static_cast<unsigned>(line.number("width"));
    entry.old_value = line.hex("old");
    entry.new_value = line.hex("new");
    entry.value = line.hex("value");
    entry.status = line.text("status");
    entry.detail = line.text("detail", false);
    entry.reason = line.text("reason");
    entry.version = line.text("version");
    Line undo = line.object("undo");
    entry.undo = {undo.text("target", false), undo.hex("value"), undo.text("why", false)};
    line.join(undo);
}

} // namespace

std::string_view name(AuditPhase phase) {
    return phase == AuditPhase::intent ? "intent" : "outcome";
}

std::string_view name(AuditAction action) {
    switch (action) {
    case AuditAction::write:
        return "write";
    case AuditAction::read:
        return "read";
    case AuditAction::select:
        return "select";
    case AuditAction::restore:
        break;
    }
    return "restore";
}

std::string audit_time(std::uint64_t realtime_ns) {
    const auto seconds = static_cast<time_t>(realtime_ns / 1'000'000'000U);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                       realtime_ns % 1'000'000'000U);
}

void write_audit_entry(JsonWriter& json, const AuditEntry& entry) {
    json.begin_object();
    json.member_number("id", entry.id);
    json.member_number("operation", entry.operation);
    json.member("phase", name(entry.phase));
    json.member("action", name(entry.action));
    json.member("time", entry.time);
    json.member("user", entry.user);
    json.member_number("uid", entry.uid);
    write_text(json, "sudoUser", entry.sudo_user);
    json.member("host", entry.host);
    write_text(json, "root", entry.root);
    write_device(json, entry);
    json.member("target", entry.target);
    write_text(json, "register", entry.reg);
    write_text(json, "space", entry.space);
    json.member("place", entry.place);
    json.member_hex("offset", entry.offset);
    json.member_number("width", entry.width);
    write_value(json, "old", entry.old_value, entry.width);
    write_value(json, "new", entry.new_value, entry.width);
    write_value(json, "value", entry.value, entry.width);
    json.member("status", entry.status);
    write_text(json, "detail", entry.detail);
    json.member("reason", entry.reason);
    json.member("version", entry.version);
    write_undo(json, entry);
    json.end_object();
}

std::string audit_line(const AuditEntry& entry) {
    std::string line;
    JsonWriter json(line);
    write_audit_entry(json, entry);
    return line;
}

std::optional<AuditEntry> parse_audit_line(std::string_view text) {
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    if (document.is_discarded()) {
        return std::nullopt;
    }
    Line line(document);
    AuditEntry entry;
    entry.id = line.number("id");
    entry.operation = line.number("operation");
    line.word("phase", phases, entry.phase);
    line.word("action", actions, entry.action);
    parse_who(line, entry);
    parse_what(line, entry);
    return line.whole() ? std::optional(std::move(entry)) : std::nullopt;
}

} // namespace barscope::tool
