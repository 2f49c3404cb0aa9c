// A value as text: without locale, the same on every machine.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "decode_bits.h"
#include <regmaps/decode.h>

namespace barscope::regmaps {

namespace {

// What the text of a value depends on.
struct Style {
    Display display = Display::hex;
    unsigned lsb = 0, msb = 31;
    double scale = 1, offset = 0;
    std::string_view unit;
    safety::ByteOrder order = safety::ByteOrder::little;
};

void append_hex(std::uint64_t value, unsigned digits, std::string& out) {
    static constexpr std::string_view alphabet = "0123456789abcdef";
    out += "0x";
    for (unsigned shift = digits * 4; shift > 0; shift -= 4) {
        out += alphabet[(value >> (shift - 4)) & 0xf];
    }
}

template <typename Integer>
void append_number(Integer value, std::string& out) {
    std::array<char, 24> digits{};
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

std::int64_t sign_extended(std::uint64_t value, unsigned bits) {
    const std::uint64_t sign = std::uint64_t{1} << (std::min(bits, 64U) - 1);
    return static_cast<std::int64_t>(((value & low_mask(bits)) ^ sign) - sign);
}

void append_bytes(std::span<const std::uint8_t> bytes, std::string& out) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "{}{:02x}", i == 0 ? "" : " ", bytes[i]);
    }
}

void append_value(const Style& style, std::uint64_t value, std::string& out) {
    const unsigned bits = style.msb - style.lsb + 1;
    switch (style.display) {
    case Display::hex:
        append_hex(value, (bits + 3) / 4, out);
        break;
    case Display::dec:
        append_number(value, out);
        break;
    case Display::boolean:
        out += value != 0 ? "yes" : "no";
        return; // a unit says nothing of a yes
    case Display::signed_dec:
        append_number(sign_extended(value, bits), out);
        break;
    case Display::address:
        append_hex(value << style.lsb, (style.msb + 4) / 4, out);
        break;
    case Display::bytes: {
        std::array<std::uint8_t, 8> bytes{};
        const auto used = std::span(bytes).first((bits + 7) / 8);
        store_word(used, style.order, value);
        append_bytes(used, out);
        break;
    }
    case Display::scaled:
        // 15 digits: what a double surely holds. The shortest exact text of 3 * 0.1 is 0.30000000000000004.
        fmt::format_to(std::back_inserter(out), "{:.15g}",
                       static_cast<double>(value) * style.scale + style.offset);
        break;
    }
    if (!style.unit.empty()) {
        out += ' ';
        out += style.unit;
    }
}

// The byte order of the word that the field is in. Field::owner alone does not say whose index it is.
safety::ByteOrder order_of(const RegisterMap& map, const Field& field) {
    if (&field < map.fields.data() || &field >= map.fields.data() + map.fields.size()) {
        return safety::ByteOrder::little;
    }
    const auto index = static_cast<Index>(&field - map.fields.data());
    const auto holds = [&](Range range) { return index - range.begin < range.count; };
    if (field.owner < map.registers.size() && holds(map.registers[field.owner].fields)) {
        return map.registers[field.owner].order;
    }
    if (field.owner < map.structures.size() && holds(map.structures[field.owner].fields)) {
        return map.structures[field.owner].order;
    }
    return safety::ByteOrder::little;
}

} // namespace

void append_field_text(const RegisterMap& map, const Field& field, std::uint64_t value, std::string& out) {
    Style style{field.display, field.lsb, field.msb, field.scale, field.offset, map.text(field.unit)};
    if (field.display == Display::bytes) {
        style.order = order_of(map, field);
    }
    append_value(style, value, out);
}

std::string field_text(const RegisterMap& map, const Field& field, std::uint64_t value) {
    std::string out;
    append_field_text(map, field, value, out);
    return out;
}

std::string field_text(const RegisterMap& map, const Field& field,
                       std::span<const std::uint8_t> structure_bytes) {
    std::string out;
    if (field.at <= structure_bytes.size()) {
        const auto rest = structure_bytes.subspan(field.at);
        append_bytes(rest.first(std::min<std::size_t>(field.bytes, rest.size())), out);
    }
    if (field.unit.size != 0) {
        out += ' ';
        out += map.text(field.unit);
    }
    return out;
}

std::string register_text(const RegisterMap& map, const Register& reg, std::uint64_t value) {
    std::string out;
    append_value({reg.display, 0, reg.width - 1U, 1, 0, map.text(reg.unit), reg.order}, value, out);
    return out;
}

// Without a width hex shows the digits that it needs; with one, never fewer than that width has.
std::string derived_text(const RegisterMap& map, const Derived& derived, std::uint64_t value) {
    std::string out;
    const unsigned given = derived.width;
    const unsigned bits = derived.display == Display::hex
                              ? std::max({1U, given, static_cast<unsigned>(std::bit_width(value))})
                              : (given != 0 ? given : 64U);
    append_value({derived.display, 0, bits - 1, derived.scale, derived.offset, map.text(derived.unit)}, value,
                 out);
    return out;
}

} // namespace barscope::regmaps
