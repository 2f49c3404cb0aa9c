// Members of a parsed JSON object by name and type, with an error that says where something else stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <safety/error.h>

namespace barscope::tool {

class JsonFields {
  public:
    // `pointer`: of the object, for errors ("/captures/0").
    JsonFields(const nlohmann::json& object, std::string pointer, const std::string& where)
        : object_(object), pointer_(std::move(pointer)), where_(where) {
        if (!object.is_object()) {
            wrong("", "an object");
        }
    }

    std::string text(const char* name); // required
    std::string text_or(const char* name, const char* otherwise);
    std::uint64_t number(const char* name);  // a JSON number
    std::uint64_t hex(const char* name);     // "0x..."
    std::uint64_t decimal(const char* name); // "123": numbers above 2^53
    std::uint64_t decimal_or(const char* name, std::uint64_t otherwise);
    bool flag_or(const char* name, bool otherwise);
    const nlohmann::json* find(const char* name) const; // null: not there
    const nlohmann::json* array(const char* name);      // required

    void wrong(const std::string& name, const std::string& wanted);
    const std::optional<Error>& error() const { return error_; } // the first
    const std::string& pointer() const { return pointer_; }

  private:
    std::optional<std::uint64_t> parse(const char* name, bool hex);

    const nlohmann::json& object_;
    std::string pointer_;
    const std::string& where_;
    std::optional<Error> error_;
};

Error bad_snapshot(const std::string& where, const std::string& pointer, const std::string& what);

} // namespace barscope::tool
