#include <fwlog/field_text.h>

#include <array>
#include <charconv>
#include <cstring>
#include <vector>

#include <regmaps/decode.h>

#include "compare.h"

namespace barscope::fwlog {

namespace {

using regmaps::Index;
using regmaps::RegisterMap;

void append_number(std::string& out, std::uint64_t value, int base) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

std::string hex_text(std::uint64_t value) {
    std::string text = "0x";
    append_number(text, value, 16);
    return text;
}

void append_signed(std::string& out, std::uint64_t value) {
    const bool minus = value >> 63U != 0;
    out += minus ? "-" : "";
    append_number(out, minus ? ~value + 1 : value, 10);
}

bool is_number(const PatternField& field) {
    return field.kind == FieldKind::hex || field.kind == FieldKind::dec;
}

Index find_structure(const RegisterMap& map, std::string_view name) {
    for (Index i = 0; i < map.structures.size(); ++i) {
        if (map.text(map.structures[i].name) == name) {
            return i;
        }
    }
    return regmaps::none;
}

} // namespace

std::string errno_name(std::uint64_t number) {
    const char* known = number == 0 || number > 4095 ? nullptr : ::strerrorname_np(static_cast<int>(number));
    return known == nullptr ? std::string() : std::string(known);
}

std::optional<std::uint64_t> difference(const Record& record, const Difference& difference) {
    if (difference.minuend >= record.fields.size() || difference.subtrahend >= record.fields.size()) {
        return std::nullopt;
    }
    const std::uint64_t value =
        record.fields[difference.minuend].value - record.fields[difference.subtrahend].value;
    return difference.modulus == 0 ? value : value % difference.modulus;
}

const RegisterMap* FieldText::map(const std::string& name) {
    if (catalog_ == nullptr) {
        return nullptr;
    }
    auto known = maps_.find(name);
    if (known == maps_.end()) {
        auto found = catalog_->find(name);
        known =
            maps_.emplace(name, found ? std::optional<RegisterMap>(std::move(*found)) : std::nullopt).first;
    }
    return known->second ? &*known->second : nullptr;
}

// "CODE 0x8000 READY, RECOVERABLE": fields that are 0 and have no name for it are left out.
std::string FieldText::structure_text(const std::string& reference, std::uint64_t value) {
    const std::size_t colon = reference.find(':');
    const RegisterMap* known = map(reference.substr(0, colon));
    const Index structure =
        known == nullptr ? regmaps::none : find_structure(*known, reference.substr(colon + 1));
    if (structure == regmaps::none || known->structures[structure].size > 8) {
        return {};
    }
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t i = 0; i < known->structures[structure].size; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
    }
    const auto decoded = regmaps::decode_structure(*known, structure, bytes);
    std::string text;
    for (std::size_t i = 0; decoded && i < decoded->fields.size(); ++i) {
        const regmaps::DecodedField& field = decoded->fields[i];
        if (field.field == regmaps::none || (field.value == 0 && field.enum_value == regmaps::none)) {
            continue;
        }
        const bool flag = field.msb == field.lsb && field.enum_value == regmaps::none;
        text += (text.empty() ? "" : ", ") + std::string(known->text(known->fields[field.field].name));
        text += flag ? "" : " " + hex_text(field.value);
        if (field.enum_value != regmaps::none) {
            text += " " + std::string(known->text(known->enum_values[field.enum_value].name));
        }
    }
    return text;
}

// "bnxt:cqe-req.STATUS": what the map calls this value of a structure's field.
std::string FieldText::map_name(const std::string& reference, std::uint64_t value) {
    const std::size_t colon = reference.find(':');
    const std::size_t dot = reference.rfind('.');
    const RegisterMap* known = map(reference.substr(0, colon));
    const Index structure = known == nullptr
                                ? regmaps::none
                                : find_structure(*known, reference.substr(colon + 1, dot - colon - 1));
    if (structure == regmaps::none) {
        return {};
    }
    const regmaps::Range range = known->structures[structure].fields;
    for (Index i = range.begin; i < range.begin + range.count; ++i) {
        const regmaps::Field& field = known->fields[i];
        if (known->text(field.name) != reference.substr(dot + 1) || field.enumeration == regmaps::none) {
            continue;
        }
        const regmaps::Range values = known->enums[field.enumeration].values;
        for (Index v = values.begin; v < values.begin + values.count; ++v) {
            if (known->enum_values[v].value == value) {
                return std::string(known->text(known->enum_values[v].name));
            }
        }
    }
    return {};
}

void FieldText::append_name(std::string& out, const FieldValue& value) {
    const PatternField& field = *value.field;
    if (field.names != nullptr) {
        out += field.names->find(value.value);
    } else if (field.error_number) {
        out += errno_name(value.value >> 63U != 0 ? ~value.value + 1 : value.value);
    } else if (!field.map_names.empty()) {
        out += map_name(field.map_names, value.value);
    } else if (value.all_ones) {
        out += "all ones";
    } else if (!field.structure.empty()) {
        out += structure_text(field.structure, value.value);
    } else if (!field.parts.empty()) {
        out += joined_parts(field, value.value);
    }
}

std::string FieldText::value_name(const FieldValue& value) {
    std::string text;
    append_name(text, value);
    return text;
}

void FieldText::append(std::string& out, const FieldValue& value) {
    const PatternField& field = *value.field;
    if (!is_number(field)) {
        out += value.text;
        return;
    }
    const bool plain_hex = field.kind == FieldKind::hex && !field.negative;
    if (plain_hex) {
        out += "0x";
        append_number(out, value.value, 16);
    } else {
        append_signed(out, value.value);
    }
    if (!field.unit.empty()) {
        out += ' ';
        out += field.unit;
    }
    const bool bare = field.parts.empty() && field.structure.empty();
    const std::size_t before = out.size();
    out += bare ? " " : " (";
    const std::size_t name_at = out.size();
    append_name(out, value);
    if (out.size() != name_at) {
        out += bare ? "" : ")";
    } else {
        out.resize(before);
        if (plain_hex && value.value > 9 && value.value < 0x10000) {
            out += " (";
            append_number(out, value.value, 10);
            out += ')';
        }
    }
    if (!value.differs.empty()) {
        out += ", differs from ";
        out += value.differs;
    }
}

std::string FieldText::value(const FieldValue& value) {
    std::string text;
    append(text, value);
    return text;
}

} // namespace barscope::fwlog
