#include <render/report_tree_json.h>

#include <unordered_map>

#include <fmt/format.h>

#include <render/report_parts.h>

namespace barscope::tool {

namespace {

// All that registers of one shape have in common, with a separator that no name holds.
std::string shape_key(const ReportRegister& reg) {
    std::string key = fmt::format("{}\n{}\n{}\n{} {}", reg.space, reg.group, reg.title, reg.width,
                                  static_cast<unsigned>(reg.volatility));
    for (const ReportField& field : reg.fields) {
        key += fmt::format("\n{} {} {}", field.msb, field.lsb, field.name);
    }
    return key;
}

class TreeJson {
  public:
    TreeJson(JsonWriter& json, const Report& report) : json_(json), report_(report) {}

    void write(const std::function<void()>& drain) {
        json_.begin_object();
        json_.key("registers");
        json_.begin_array();
        for (const ReportRegister& reg : report_.tree) {
            json_.break_line();
            write_register(reg);
            drain();
        }
        json_.end_array();
        json_.break_line();
        json_.key("shapes");
        json_.begin_array();
        for (const ReportRegister* reg : shapes_) {
            json_.break_line();
            write_shape(*reg);
            drain();
        }
        json_.end_array();
        json_.end_object();
    }

  private:
    std::size_t shape_of(const ReportRegister& reg) {
        const auto [found, fresh] = numbers_.try_emplace(shape_key(reg), shapes_.size());
        if (fresh) {
            shapes_.push_back(&reg);
        }
        return found->second;
    }

    void text_member(std::string_view name, std::string_view text) {
        if (!text.empty()) {
            json_.member(name, text);
        }
    }

    void value_member(std::string_view name, std::string_view text) {
        json_.key(name);
        if (text.empty()) {
            json_.null();
        } else {
            json_.string(text);
        }
    }

    bool same(std::string_view before, std::string_view after) const {
        return !report_.difference || before == after;
    }

    void write_values(std::string_view before, std::string_view after) {
        if (same(before, after)) {
            value_member("value", after);
        } else {
            value_member("before", before);
            value_member("after", after);
        }
    }

    void flag(std::string_view name, bool value) {
        if (value) {
            json_.member_bool(name, true);
        }
    }

    void write_register(const ReportRegister& reg) {
        json_.begin_object();
        json_.member("name", reg.name);
        json_.member_hex("offset", reg.offset);
        json_.member_number("shape", shape_of(reg));
        write_values(reg.before, reg.after);
        if (same(reg.before_reason, reg.after_reason)) {
            text_member("reason", reg.after_reason);
        } else {
            text_member("beforeReason", reg.before_reason);
            text_member("afterReason", reg.after_reason);
        }
        if (reg.changed_bits != 0) {
            json_.member_hex("changedBits", reg.changed_bits);
        }
        text_member("severity", severity_word(reg.severity));
        flag("changed", reg.changed);
        flag("noise", reg.noise);
        flag("moving", reg.moving);
        text_member("remark", reg.remark);
        write_fields(reg);
        json_.end_object();
    }

    void write_fields(const ReportRegister& reg) {
        if (reg.fields.empty()) {
            return;
        }
        json_.key("fields");
        json_.begin_array();
        for (const ReportField& field : reg.fields) {
            if (same(field.before, field.after) && !field.changed &&
                field.severity == Severity::unspecified) {
                json_.string(field.after);
                continue;
            }
            json_.begin_object();
            write_values(field.before, field.after);
            text_member("severity", severity_word(field.severity));
            flag("changed", field.changed);
            json_.end_object();
        }
        json_.end_array();
    }

    void write_shape(const ReportRegister& reg) {
        json_.begin_object();
        json_.member("space", reg.space);
        text_member("group", reg.group);
        text_member("title", reg.title);
        json_.member_number("width", reg.width);
        json_.member("volatility", regmaps::name(reg.volatility));
        json_.key("fields");
        json_.begin_array();
        for (const ReportField& field : reg.fields) {
            json_.begin_object();
            json_.member("name", field.name);
            json_.member_number("msb", field.msb);
            json_.member_number("lsb", field.lsb);
            json_.end_object();
        }
        json_.end_array();
        json_.end_object();
    }

    JsonWriter& json_;
    const Report& report_;
    std::vector<const ReportRegister*> shapes_;
    std::unordered_map<std::string, std::size_t> numbers_;
};

} // namespace

void append_tree_json(JsonWriter& json, const Report& report, const std::function<void()>& drain) {
    TreeJson(json, report).write(drain);
}

} // namespace barscope::tool
