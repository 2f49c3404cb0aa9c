// Finding the pattern of a message: a hash of the bytes where one could begin leads to the few that do begin
// so.
#include <fwlog/patterns.h>

#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

std::uint64_t mask_of(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

bool take_hex_field(const PatternField& field, std::string_view& rest, FieldValue& out) {
    const auto value = take_hex(rest);
    if (!value || (!rest.empty() && is_word(rest[0]))) {
        return false;
    }
    const std::uint64_t mask = mask_of(field.bits);
    const bool fits = (*value & ~mask) == 0;
    const bool sign = fits && field.negative && (*value >> (field.bits - 1U) & 1U) != 0;
    out.value = sign ? *value | ~mask : *value;
    out.all_ones = !field.negative && field.bits >= 16 && *value == mask;
    return true;
}

bool take_decimal_field(std::string_view& rest, FieldValue& out) {
    const bool minus = take(rest, "-");
    const auto value = take_decimal(rest);
    if (!value || (!rest.empty() && is_word(rest[0]))) {
        return false;
    }
    out.value = minus ? ~*value + 1 : *value;
    return true;
}

bool take_word_field(std::string_view& rest, std::string_view next) {
    std::size_t used = 0;
    while (used < rest.size() && rest[used] != ' ' &&
           (next.empty() || !rest.substr(used).starts_with(next))) {
        ++used;
    }
    rest.remove_prefix(used);
    return used != 0;
}

bool take_text_field(std::string_view& rest, std::string_view next) {
    if (next.empty()) {
        rest = {};
        return true;
    }
    const std::size_t at = rest.find(next);
    if (at == std::string_view::npos) {
        return false;
    }
    rest.remove_prefix(at);
    return true;
}

bool take_field(const PatternField& field, std::string_view next, std::string_view& rest, FieldValue& out) {
    const std::string_view before = rest;
    bool taken = false;
    switch (field.kind) {
    case FieldKind::hex:
        taken = take_hex_field(field, rest, out);
        break;
    case FieldKind::dec:
        taken = take_decimal_field(rest, out);
        break;
    case FieldKind::word:
        taken = take_word_field(rest, next);
        break;
    case FieldKind::text:
        taken = take_text_field(rest, next);
        break;
    }
    out.field = &field;
    out.text = before.substr(0, before.size() - rest.size());
    return taken;
}

bool fits(const Pattern& pattern, std::string_view text, std::vector<FieldValue>& fields) {
    fields.clear();
    for (std::size_t i = 0; i < pattern.pieces.size(); ++i) {
        const Pattern::Piece& piece = pattern.pieces[i];
        if (!take(text, piece.literal)) {
            return false;
        }
        if (piece.field < 0) {
            continue;
        }
        const std::string_view next = i + 1 < pattern.pieces.size()
                                          ? std::string_view(pattern.pieces[i + 1].literal)
                                          : std::string_view();
        FieldValue value;
        if (!take_field(pattern.fields[static_cast<std::size_t>(piece.field)], next, text, value)) {
            return false;
        }
        fields.push_back(value);
    }
    return true;
}

} // namespace

bool PatternSet::match_here(std::string_view text, Record& record) const {
    const auto attempt = [&](const std::vector<std::uint16_t>& candidates) {
        for (const std::uint16_t number : candidates) {
            const Pattern& pattern = *patterns_[number];
            if (fits(pattern, text, record.fields)) {
                record.pattern = &pattern;
                return true;
            }
        }
        return false;
    };
    if (text.empty()) {
        return false;
    }
    const std::size_t bucket = text.size() >= 4 ? bucket_of(text) : 0;
    return (text.size() >= 4 && starts_[bucket] && attempt(by_start_[bucket])) ||
           attempt(by_byte_[static_cast<unsigned char>(text[0])]);
}

// Each place in the message where a pattern may begin, from `rest` on, until `attempt` says yes; `rest` is
// left behind that place.
template <typename Attempt>
bool PatternSet::try_starts(std::string_view& rest, const Attempt& attempt) {
    bool found = false;
    while (!found && !rest.empty()) {
        skip_blanks(rest);
        found = attempt(rest);
        if (!found && !rest.empty() && (rest[0] == '[' || rest[0] == '(')) {
            const std::size_t close = rest.find(rest[0] == '[' ? "] " : ") ");
            found = close != std::string_view::npos && attempt(rest.substr(close + 2));
        }
        const std::size_t colon = rest.find(':');
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return found;
}

bool PatternSet::match_next(std::string_view& rest, Record& record) const {
    return try_starts(rest, [&](std::string_view text) { return match_here(text, record); });
}

bool PatternSet::may_match(std::string_view message) const {
    return try_starts(message, [this](std::string_view text) {
        return (text.size() >= 4 && starts_[bucket_of(text)]) ||
               (!text.empty() && !by_byte_[static_cast<unsigned char>(text[0])].empty());
    });
}

void PatternSet::take_worse(std::string_view rest, Record& record) const {
    Record other;
    while (match_next(rest, other)) {
        if (other.pattern->severity > record.pattern->severity) {
            record.pattern = other.pattern;
            record.fields = other.fields;
        }
    }
}

bool PatternSet::match(std::string_view message, Record& record, bool all) const {
    std::string_view rest = message;
    if (!match_next(rest, record)) {
        record.pattern = nullptr;
        record.fields.clear();
        return false;
    }
    if (all) {
        take_worse(rest, record);
    }
    const Pattern& pattern = *record.pattern;
    if (pattern.severity != Severity::unknown) {
        record.severity = pattern.severity;
    }
    if (pattern.code_field >= 0) {
        const FieldValue& code = record.fields[static_cast<std::size_t>(pattern.code_field)];
        record.code = code.value;
        record.code_name =
            code.field->names == nullptr ? std::string_view() : code.field->names->find(code.value);
    }
    return true;
}

bool PatternSet::gate_hit(std::string_view message) const {
    if (message.size() < 4) {
        return false;
    }
    const std::size_t bucket = bucket_of(message);
    if (!gates_[bucket]) {
        return false;
    }
    for (const std::uint16_t number : driver_starts_[bucket]) {
        const std::string& driver = drivers_[number];
        if (message.starts_with(driver) && (message.size() == driver.size() ||
                                            !is_word(message[driver.size()]) || !is_word(driver.back()))) {
            return true;
        }
    }
    return false;
}

} // namespace barscope::fwlog
