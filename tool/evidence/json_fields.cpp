#include <evidence/json_fields.h>

#include <charconv>

namespace barscope::tool {

Error bad_snapshot(const std::string& where, const std::string& pointer, const std::string& what) {
    return {.code = ErrorCode::bad_input,
            .cause = "bad-snapshot",
            .what = "not a snapshot as barscope writes it: " + what,
            .where = where + (pointer.empty() ? "" : " at " + pointer),
            .remedy = "it was edited, or made by something else; docs/snapshot.md has the form"};
}

void JsonFields::wrong(const std::string& name, const std::string& wanted) {
    if (!error_) {
        error_ = bad_snapshot(where_, pointer_ + (name.empty() ? "" : "/" + name), wanted + " is expected");
    }
}

const nlohmann::json* JsonFields::find(const char* name) const {
    if (!object_.is_object()) {
        return nullptr;
    }
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
}

std::string JsonFields::text(const char* name) {
    const nlohmann::json* value = find(name);
    if (value == nullptr || !value->is_string()) {
        wrong(name, "a text");
        return {};
    }
    return value->get_ref<const std::string&>();
}

std::string JsonFields::text_or(const char* name, const char* otherwise) {
    return find(name) == nullptr ? otherwise : text(name);
}

std::uint64_t JsonFields::number(const char* name) {
    const nlohmann::json* value = find(name);
    if (value == nullptr || !value->is_number_unsigned()) {
        wrong(name, "a whole number");
        return 0;
    }
    return value->get<std::uint64_t>();
}

std::optional<std::uint64_t> JsonFields::parse(const char* name, bool hex) {
    const nlohmann::json* value = find(name);
    if (value == nullptr || !value->is_string()) {
        return std::nullopt;
    }
    std::string_view text = value->get_ref<const std::string&>();
    if (hex) {
        if (!text.starts_with("0x")) {
            return std::nullopt;
        }
        text.remove_prefix(2);
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

std::uint64_t JsonFields::hex(const char* name) {
    const auto number = parse(name, true);
    if (!number) {
        wrong(name, "a text like \"0x1f\"");
    }
    return number.value_or(0);
}

std::uint64_t JsonFields::decimal(const char* name) {
    const auto number = parse(name, false);
    if (!number) {
        wrong(name, "a text of decimal digits");
    }
    return number.value_or(0);
}

std::uint64_t JsonFields::decimal_or(const char* name, std::uint64_t otherwise) {
    return find(name) == nullptr ? otherwise : decimal(name);
}

bool JsonFields::flag_or(const char* name, bool otherwise) {
    const nlohmann::json* value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_boolean()) {
        wrong(name, "true or false");
        return otherwise;
    }
    return value->get<bool>();
}

const nlohmann::json* JsonFields::array(const char* name) {
    const nlohmann::json* value = find(name);
    if (value == nullptr || !value->is_array()) {
        wrong(name, "an array");
        return nullptr;
    }
    return value;
}

} // namespace barscope::tool
