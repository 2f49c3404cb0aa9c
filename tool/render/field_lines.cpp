#include <render/field_lines.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

constexpr std::size_t widest_name = 32;

bool needs_mark(regmaps::Severity severity) {
    return severity == regmaps::Severity::notice || severity == regmaps::Severity::warning ||
           severity == regmaps::Severity::critical;
}

} // namespace

void append_meaning(std::string& out, const Style& style, const regmaps::RegisterMap& map,
                    regmaps::Index enum_value, regmaps::Severity severity) {
    const bool mark = needs_mark(severity);
    if (enum_value == regmaps::none && !mark) {
        return;
    }
    const Ink ink = ink_of(severity);
    out += "  ";
    style.begin(out, ink);
    if (enum_value != regmaps::none) {
        append_safe(out, map.text(map.enum_values[enum_value].name));
    }
    if (mark) {
        out += enum_value == regmaps::none ? "[" : " [";
        out += regmaps::name(severity);
        out += ']';
    }
    style.end(out, ink);
}

void FieldLines::fit(regmaps::Range fields) {
    for (const regmaps::Field& field : map_.fields.subspan(fields.begin, fields.count)) {
        name_width_ = std::max<std::size_t>(name_width_, std::min<std::size_t>(field.name.size, widest_name));
    }
}

void FieldLines::append_bits(std::string& out, unsigned msb, unsigned lsb) const {
    out.append(indent_, ' ');
    const std::size_t begin = out.size();
    append_decimal(out, msb);
    if (msb != lsb) {
        out += ':';
        append_decimal(out, lsb);
    }
    pad(out, out.size() - begin, 5);
    out += "  ";
}

void FieldLines::append(std::string& out, const regmaps::DecodedField& field) const {
    append_bits(out, field.msb, field.lsb);
    if (field.field == regmaps::none) {
        style_.begin(out, Ink::notice);
        out += "(reserved)";
        pad(out, 10, name_width_);
        out += "  ";
        append_hex(out, field.value, (field.msb - field.lsb + 4U) / 4);
        out += "  set, and the map does not name it";
        style_.end(out, Ink::notice);
        out += '\n';
        return;
    }
    const regmaps::Field& definition = map_.fields[field.field];
    out += map_.text(definition.name);
    pad(out, definition.name.size, name_width_);
    out += "  ";
    regmaps::append_field_text(map_, definition, field.value, out);
    append_meaning(out, style_, map_, field.enum_value, field.severity);
    out += '\n';
}

bool FieldLines::is_quiet(const regmaps::RegisterMap& map, const regmaps::DecodedField& field) {
    return field.field != regmaps::none && field.value == 0 && field.enum_value == regmaps::none &&
           map.fields[field.field].display == regmaps::Display::boolean && !needs_mark(field.severity);
}

void FieldLines::append_quiet(std::string& out, std::span<const regmaps::DecodedField> fields) const {
    std::string names;
    for (const regmaps::DecodedField& field : fields) {
        if (is_quiet(map_, field)) {
            names += names.empty() ? "" : ", ";
            names += map_.text(map_.fields[field.field].name);
        }
    }
    if (names.empty()) {
        return;
    }
    out.append(indent_, ' ');
    out += "no     ";
    style_.begin(out, Ink::dim);
    append_wrapped(out, indent_ + 7, names, true);
    style_.end(out, Ink::dim);
}

void FieldLines::append_bytes(std::string& out, const regmaps::Field& field, std::string_view bytes) const {
    out.append(indent_, ' ');
    out += "bytes  ";
    out += map_.text(field.name);
    pad(out, field.name.size, name_width_);
    out += "  ";
    out += bytes;
    out += '\n';
}

} // namespace barscope::tool
