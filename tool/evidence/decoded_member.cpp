#include <evidence/decoded_member.h>

#include <algorithm>
#include <span>

#include <render/digits.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::DecodedRegister;
using regmaps::none;
using regmaps::RegisterMap;

class DecodedWriter {
  public:
    DecodedWriter(std::string& out, const RegisterMap& map, const Capture& capture)
        : json_(out, JsonLayout::canonical), map_(map), capture_(capture) {}

    void write(std::size_t pass) {
        json_.begin_object();
        write_derived();
        json_.member_number("pass", pass);
        json_.key("registers");
        json_.begin_array();
        for (const regmaps::Index position : capture_.shown) {
            json_.break_line();
            write_register(position);
        }
        json_.end_array();
        json_.end_object();
    }

  private:
    void write_derived() {
        json_.key("derived");
        json_.begin_array();
        for (const regmaps::DecodedValue& value : capture_.decoded.derived) {
            if (!value.applies || !value.value) {
                continue;
            }
            const regmaps::Derived& derived = map_.derived[value.derived];
            json_.begin_object();
            json_.member("name", map_.text(derived.name));
            json_.member("text",
                         with_enum(regmaps::derived_text(map_, derived, *value.value), value.enum_value));
            json_.member_hex("value", *value.value);
            json_.end_object();
        }
        json_.end_array();
    }

    std::string with_enum(std::string text, regmaps::Index enum_value) const {
        if (enum_value != none) {
            text += ' ';
            text += map_.text(map_.enum_values[enum_value].name);
        }
        return text;
    }

    void write_register(std::size_t position) {
        const DecodedRegister& decoded = capture_.decoded.registers[position];
        const bool value = capture_.refusal[position] == 0 && !capture_.held[position] &&
                           safety::has_value(decoded.word.status);
        json_.begin_object();
        if (value) {
            if (decoded.enum_value != none) {
                json_.member("enum", map_.text(map_.enum_values[decoded.enum_value].name));
            }
            write_fields(decoded);
        }
        name_.clear();
        regmaps::append_instance_name(map_, decoded.instance, name_);
        json_.member("name", name_);
        if (!value) {
            json_.member("reason", reason(map_, capture_, position));
        }
        json_.member("status", status_name(capture_, position));
        if (value) {
            json_.member_hex("value", decoded.word.value, map_.registers[decoded.instance.reg].width / 4U);
        }
        json_.end_object();
    }

    void write_fields(const DecodedRegister& decoded) {
        fields_.clear();
        for (const DecodedField& field :
             std::span(capture_.decoded.fields).subspan(decoded.fields.begin, decoded.fields.count)) {
            if (field.field != none) {
                fields_.push_back(&field);
            }
        }
        if (fields_.empty()) {
            return;
        }
        const auto name = [&](const DecodedField* field) {
            return map_.text(map_.fields[field->field].name);
        };
        std::sort(fields_.begin(), fields_.end(),
                  [&](const auto* a, const auto* b) { return name(a) < name(b); });
        // Two fields of one name, of which `when` chooses one, do not both apply.
        fields_.erase(std::unique(fields_.begin(), fields_.end(),
                                  [&](const auto* a, const auto* b) { return name(a) == name(b); }),
                      fields_.end());
        json_.key("fields");
        json_.begin_object();
        for (const DecodedField* field : fields_) {
            text_.clear();
            regmaps::append_field_text(map_, map_.fields[field->field], field->value, text_);
            if (field->enum_value != none) {
                text_ += ' ';
                text_ += map_.text(map_.enum_values[field->enum_value].name);
            }
            json_.member(name(field), text_);
        }
        json_.end_object();
    }

    JsonWriter json_;
    const RegisterMap& map_;
    const Capture& capture_;
    std::vector<const DecodedField*> fields_;
    std::string name_, text_;
};

} // namespace

std::string decoded_member(const RegisterMap& map, const Capture& capture, std::size_t pass) {
    std::string text;
    DecodedWriter(text, map, capture).write(pass);
    return text;
}

} // namespace barscope::tool
