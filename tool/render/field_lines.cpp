#include <render/field_lines.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

constexpr std::size_t widest_name = 32;
constexpr std::size_t bits_width = 7; // "63:32" and two blanks

// A number below 100.
char* put_small(char* at, unsigned value) {
    if (value >= 10) {
        *at++ = static_cast<char>('0' + value / 10);
    }
    *at++ = static_cast<char>('0' + value % 10);
    return at;
}

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

// A dump has a hundred thousand of these lines, so each is laid out in one piece rather than built up by
// appending.
void FieldLines::append_head(std::string& out, unsigned msb, unsigned lsb, std::string_view name) const {
    const std::size_t begin = out.size() + indent_;
    out.resize(begin + bits_width + std::max(name.size(), name_width_) + 2, ' ');
    char* bits = put_small(out.data() + begin, msb);
    if (msb != lsb) {
        *bits++ = ':';
        put_small(bits, lsb);
    }
    std::copy(name.begin(), name.end(), out.begin() + static_cast<std::ptrdiff_t>(begin + bits_width));
}

void FieldLines::append(std::string& out, const regmaps::DecodedField& field) const {
    if (field.field == regmaps::none) {
        style_.begin(out, Ink::notice);
        append_head(out, field.msb, field.lsb, "(reserved)");
        append_hex(out, field.value, (field.msb - field.lsb + 4U) / 4);
        out += "  set, and the map does not name it";
        style_.end(out, Ink::notice);
        out += '\n';
        return;
    }
    const regmaps::Field& definition = map_.fields[field.field];
    append_head(out, field.msb, field.lsb, map_.text(definition.name));
    regmaps::append_field_text(map_, definition, field.value, out);
    append_meaning(out, style_, map_, field.enum_value, field.severity);
    out += '\n';
}

void FieldLines::append_hidden(std::string& out, const regmaps::DecodedField& field,
                               std::string_view shown) const {
    append_head(out, field.msb, field.lsb,
                field.field == regmaps::none ? "(reserved)" : map_.text(map_.fields[field.field].name));
    out += shown;
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
    append_wrapped(out, indent_ + bits_width, names, true);
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
