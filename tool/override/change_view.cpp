#include <override/change_view.h>

#include <algorithm>

#include <fmt/format.h>

#include <render/escape.h>
#include <render/identity.h>
#include <render/report_parts.h>
#include <render/table.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

std::string text_of(const RegisterMap& map, const DecodedField& field) {
    if (field.field == none) {
        return fmt::format("{:#x}", field.value);
    }
    std::string text = regmaps::field_text(map, map.fields[field.field], field.value);
    if (field.enum_value != none) {
        text += "  ";
        append_safe(text, map.text(map.enum_values[field.enum_value].name));
    }
    return text;
}

FieldChange& change_for(const RegisterMap& map, const DecodedField& field,
                        std::vector<FieldChange>& changes) {
    const std::string_view name = field.field == none ? "" : map.text(map.fields[field.field].name);
    const auto found = std::find_if(changes.begin(), changes.end(), [&](const FieldChange& change) {
        return change.msb == field.msb && change.lsb == field.lsb && change.name == name;
    });
    if (found != changes.end()) {
        return *found;
    }
    FieldChange fresh;
    fresh.msb = field.msb;
    fresh.lsb = field.lsb;
    fresh.name = name;
    changes.push_back(std::move(fresh));
    return changes.back();
}

std::string bits_text(const FieldChange& change) {
    return change.msb == change.lsb ? std::to_string(change.msb)
                                    : fmt::format("{}:{}", change.msb, change.lsb);
}

void append_fields(std::string& out, const Style& style, const std::vector<FieldChange>& changes) {
    Table table({"  BITS", "FIELD", "OLD", "NEW"});
    for (const FieldChange& change : changes) {
        const Ink ink = change.changed() ? Ink::warning : Ink::plain;
        std::string name;
        append_safe(name, change.name.empty() ? "(reserved)" : change.name);
        table.add({{(change.changed() ? "* " : "  ") + bits_text(change), ink},
                   {std::move(name), ink},
                   {change.before ? change.before_text : "not read", ink},
                   {change.after_text, ink}});
    }
    table.append(out, style);
}

void append_effects(std::string& out, const RegisterMap& map, const regmaps::Register& reg,
                    const Change& change) {
    if (const std::uint64_t acts = change.acts & change.meant; acts != 0) {
        out += fmt::format("acts on {}: the map says what such a write does (`barscope explain`)\n",
                           names_in(map, reg, acts));
    }
    if (change.left_alone != 0) {
        out += fmt::format("leaves alone {}: set, and written so that nothing happens to it\n",
                           names_in(map, reg, change.left_alone));
    }
}

std::string old_text(const Subject& subject, const Look& look, unsigned width) {
    if (const auto value = look.value()) {
        return word_text(*value, width);
    }
    const std::string why = look.window_closed() ? "its window is not selected yet"
                                                 : reason(subject.map, look.capture, look.position);
    return why.starts_with("not read: ") ? why : "not read: " + why;
}

} // namespace

std::string place_text(Place place, const safety::PortWord& word) {
    return fmt::format("{}+{:#x}, {} bits", place_name(place), word.offset, word.width);
}

std::string word_text(std::uint64_t value, unsigned width) {
    return fmt::format("0x{:0{}x}", value, width / 4);
}

std::string names_in(const RegisterMap& map, const regmaps::Register& reg, std::uint64_t mask) {
    std::string names;
    for (const regmaps::Field& field : map.fields.subspan(reg.fields.begin, reg.fields.count)) {
        if ((field_mask(field) & mask) != 0) {
            names += names.empty() ? "" : ", ";
            append_safe(names, map.text(field.name));
            mask &= ~field_mask(field);
        }
    }
    if (mask != 0) {
        names += (names.empty() ? "bits " : ", bits ") + bit_ranges(mask);
    }
    return names;
}

std::vector<DecodedField> decode_with(const Subject& subject, const Look& look, std::uint64_t value) {
    regmaps::RawWords raw = look.capture.raw;
    raw.words[look.position] = {};
    raw.words[look.position].value = value;
    raw.words[look.position].status = safety::WordStatus::ok;
    const regmaps::Decoded decoded = regmaps::decode(subject.map, look.capture.layout, raw, subject.pci);
    const regmaps::Range range = decoded.registers[look.position].fields;
    const auto first = decoded.fields.begin() + range.begin;
    return {first, first + range.count};
}

std::vector<FieldChange> field_changes(const Subject& subject, const Look& look,
                                       std::optional<std::uint64_t> old, std::uint64_t value) {
    std::vector<FieldChange> changes;
    if (old) {
        for (const DecodedField& field : decode_with(subject, look, *old)) {
            FieldChange& change = change_for(subject.map, field, changes);
            change.before = field.value;
            change.before_text = text_of(subject.map, field);
        }
    }
    for (const DecodedField& field : decode_with(subject, look, value)) {
        FieldChange& change = change_for(subject.map, field, changes);
        change.after = field.value;
        change.after_text = text_of(subject.map, field);
    }
    // Bits that no field names are told only where they are set: on the other side they are zero.
    for (FieldChange& change : changes) {
        if (change.name.empty()) {
            const std::uint64_t bits = ones(change.msb - change.lsb + 1U);
            change.after = value >> change.lsb & bits;
            change.after_text = fmt::format("{:#x}", *change.after);
            if (old) {
                change.before = *old >> change.lsb & bits;
                change.before_text = fmt::format("{:#x}", *change.before);
            }
        }
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const FieldChange& a, const FieldChange& b) { return a.msb > b.msb; });
    return changes;
}

void append_plan(std::string& out, const Style& style, const Subject& subject, const Look& look,
                 const WriteWish& wish, const std::optional<Change>& change) {
    const regmaps::Register& reg = subject.map.registers[wish.reg];
    append_identity(out, style, subject, &look.capture);
    out += '\n';
    out +=
        fmt::format("write  {}  {}, one store\n", wish.name, place_text(look.target.place, look.target.word));
    if (look.window_closed()) {
        out += fmt::format("window {} is moved from {} to {} for it, and put back\n", look.select->name,
                           word_text(look.selected.value_or(0), look.select->word.width),
                           word_text(look.wanted_selection.value_or(0), look.select->word.width));
    }
    out += fmt::format("old    {}\n", old_text(subject, look, reg.width));
    if (!change) {
        out += fmt::format("new    {} becomes {:#x}, its other bits keep what they hold\n", wish.name,
                           wish.value);
        return;
    }
    out += fmt::format("new    {}\n", word_text(change->value, reg.width));
    if (const auto changes = field_changes(subject, look, look.value(), change->value); !changes.empty()) {
        append_fields(out, style, changes);
    }
    append_effects(out, subject.map, reg, *change);
}

void write_changes(JsonWriter& json, const std::vector<FieldChange>& changes) {
    json.key("fields");
    json.begin_array();
    for (const FieldChange& change : changes) {
        json.begin_object();
        json.key("name");
        change.name.empty() ? json.null() : json.string(change.name);
        json.member("bits", bits_text(change));
        if (change.before) {
            json.member_hex("old", *change.before);
        }
        if (change.after) {
            json.member_hex("new", *change.after);
        }
        json.member_bool("changed", change.changed());
        json.end_object();
    }
    json.end_array();
}

} // namespace barscope::tool
