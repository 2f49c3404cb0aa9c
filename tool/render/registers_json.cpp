#include <render/registers_json.h>

#include <algorithm>
#include <span>

#include <capture/names.h>
#include <capture/unread.h>
#include <render/digits.h>
#include <render/identity.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::DecodedRegister;
using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

unsigned digits_of(unsigned bits) {
    return (bits + 3) / 4;
}

void write_bits(JsonWriter& json, const DecodedField& field, std::string& scratch) {
    scratch.clear();
    append_decimal(scratch, field.msb);
    if (field.msb != field.lsb) {
        scratch += ':';
        append_decimal(scratch, field.lsb);
    }
    json.member("bits", scratch);
}

void write_enum(JsonWriter& json, const RegisterMap& map, Index enum_value) {
    if (enum_value != none) {
        json.member("enum", map.text(map.enum_values[enum_value].name));
    }
}

class RegisterWriter {
  public:
    RegisterWriter(JsonWriter& json, const RegisterMap& map, const Capture& capture)
        : json_(json), map_(map), capture_(capture) {}

    void write(std::size_t position) {
        const DecodedRegister& decoded = capture_.decoded.registers[position];
        const regmaps::Register& reg = map_.registers[decoded.instance.reg];
        json_.break_line();
        json_.begin_object();
        scratch_.clear();
        regmaps::append_instance_name(map_, decoded.instance, scratch_);
        json_.member("name", scratch_);
        json_.member("space", map_.text(map_.spaces[reg.space].name));
        json_.member_hex("offset", decoded.instance.offset);
        json_.member_number("width", reg.width);
        json_.member("status", status_name(capture_, position));
        if (safety::has_value(decoded.word.status)) {
            write_value(position, decoded, reg);
        } else {
            write_reason(position, decoded, reg);
        }
        json_.end_object();
    }

  private:
    void write_value(std::size_t position, const DecodedRegister& decoded, const regmaps::Register& reg) {
        json_.member_hex("value", decoded.word.value, reg.width / 4U);
        write_timing(decoded.word);
        if (reg.display != regmaps::Display::hex || reg.unit.size != 0) {
            json_.member("text", regmaps::register_text(map_, reg, decoded.word.value));
        }
        write_enum(json_, map_, decoded.enum_value);
        json_.key("fields");
        json_.begin_array();
        for (const DecodedField& field : fields_of(decoded)) {
            if (shows_field(capture_, position, field.field)) {
                write_field(json_, map_, field, scratch_);
            }
        }
        json_.end_array();
    }

    void write_reason(std::size_t position, const DecodedRegister& decoded, const regmaps::Register& reg) {
        if (was_loaded(decoded.word.status)) {
            json_.member_hex("loaded", decoded.word.value, reg.width / 4U);
            write_timing(decoded.word);
        }
        json_.member("reason", reason(map_, capture_, position));
    }

    void write_timing(const safety::Word& word) {
        if (word.nanoseconds != 0) {
            json_.member_number("ns", word.nanoseconds);
        }
        if ((word.flags & safety::slow) != 0) {
            json_.member_bool("slow", true);
        }
        if ((word.flags & safety::answered_on_retry) != 0) {
            json_.member_bool("answeredOnRetry", true);
        }
    }

    std::span<const DecodedField> fields_of(const DecodedRegister& decoded) const {
        return std::span(capture_.decoded.fields).subspan(decoded.fields.begin, decoded.fields.count);
    }

    JsonWriter& json_;
    const RegisterMap& map_;
    const Capture& capture_;
    std::string scratch_;
};

void write_missing(JsonWriter& json, const RegisterMap& map, const Capture& capture, bool all) {
    json.key("missing");
    json.begin_array();
    const auto write = [&](const regmaps::Missing& missing) {
        json.break_line();
        json.begin_object();
        json.member("name", definition_name(map, missing.reg));
        json.member("why", missing.why);
        json.member_bool("unknown", missing.unknown);
        json.end_object();
    };
    for (const Index i : capture.unplaced) {
        write(capture.layout.missing[i]);
    }
    for (std::size_t i = 0; all && i < capture.absent.size(); ++i) {
        write(capture.layout.missing[capture.absent[i]]);
    }
    json.end_array();
}

void write_derived(JsonWriter& json, const RegisterMap& map, const Capture& capture) {
    json.key("derived");
    json.begin_array();
    for (const regmaps::DecodedValue& value : capture.decoded.derived) {
        const auto unknown = why_unknown(map, capture, value);
        if (!value.applies || capture.undecided[value.derived] || (!value.value && !unknown)) {
            continue;
        }
        const regmaps::Derived& derived = map.derived[value.derived];
        json.break_line();
        json.begin_object();
        json.member("name", map.text(derived.name));
        if (unknown) {
            json.member("unknown", *unknown);
            json.end_object();
            continue;
        }
        json.member_hex("value", *value.value, std::max(1U, derived.width / 4U));
        json.member("text", regmaps::derived_text(map, derived, *value.value));
        json.member("unit", map.text(derived.unit));
        write_enum(json, map, value.enum_value);
        json.end_object();
    }
    json.end_array();
}

} // namespace

void write_field(JsonWriter& json, const RegisterMap& map, const DecodedField& field, std::string& scratch) {
    const unsigned digits = digits_of(field.msb - field.lsb + 1U);
    json.begin_object();
    json.key("name");
    if (field.field == none) {
        json.null();
        write_bits(json, field, scratch);
        json.member_hex("value", field.value, digits);
        json.member_bool("reserved", true);
    } else {
        const regmaps::Field& definition = map.fields[field.field];
        json.string(map.text(definition.name));
        write_bits(json, field, scratch);
        json.member_hex("value", field.value, digits);
        scratch.clear();
        regmaps::append_field_text(map, definition, field.value, scratch);
        json.member("text", scratch);
        write_enum(json, map, field.enum_value);
        if (field.severity != regmaps::Severity::unspecified) {
            json.member("severity", regmaps::name(field.severity));
        }
    }
    json.end_object();
}

void write_sources(JsonWriter& json, const Capture& capture) {
    json.key("sources");
    json.begin_array();
    for (const SourceReport& source : capture.sources) {
        json.begin_object();
        json.member("space", place_name(source.place));
        json.member("source", source.description);
        json.member_number("loads", source.loads);
        json.member_number("sentinelLoads", source.sentinel_loads);
        // Nanoseconds since 1970 need 61 bits: more than a JSON number holds.
        std::string started;
        append_decimal(started, source.started_ns);
        json.member("startedNs", started);
        json.member_number("elapsedNs", source.elapsed_ns);
        json.member_bool("deviceGone", source.device_gone);
        json.member("note", source.note);
        json.end_object();
    }
    json.end_array();
    json.key("refusals");
    json.begin_array();
    for (const Error& error : capture.refusals) {
        write_error(json, error);
    }
    json.end_array();
    if (!capture.stopped.empty()) {
        json.member("stopped", capture.stopped);
    }
}

void render_json(Output& output, const Subject& subject, const Capture& capture, bool all) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_subject(json, subject);
    json.break_line();
    write_map(json, subject.map);
    json.break_line();
    write_sources(json, capture);
    json.break_line();
    json.key("registers");
    json.begin_array();
    RegisterWriter writer(json, subject.map, capture);
    for (const Index position : capture.shown) {
        writer.write(position);
        output.drain();
    }
    json.end_array();
    json.break_line();
    write_missing(json, subject.map, capture, all);
    json.break_line();
    write_derived(json, subject.map, capture);
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
