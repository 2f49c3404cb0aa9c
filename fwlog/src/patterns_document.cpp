#include "patterns_document.h"

#include <algorithm>
#include <utility>

#include "text_numbers.h"

namespace barscope::fwlog::document {

std::string below(std::string_view where, std::string_view key) {
    std::string path(where);
    path += '/';
    path += key;
    return path;
}

json member(const json& object, const char* key) {
    return object.contains(key) ? object.at(key) : json();
}
std::string text(const json& value, const std::string& where) {
    if (!value.is_string()) {
        throw Mistake{where, "must be text"};
    }
    return value.get<std::string>();
}
void only(const json& object, const std::string& where, std::initializer_list<std::string_view> keys) {
    if (!object.is_object()) {
        throw Mistake{where, "must be an object"};
    }
    for (const auto& [key, value] : object.items()) {
        if (!key.starts_with("x-") && std::find(keys.begin(), keys.end(), key) == keys.end()) {
            throw Mistake{below(where, key), "there is no such member"};
        }
    }
}
std::uint64_t number(std::string_view digits, const std::string& where) {
    std::string_view rest = digits;
    const auto value = rest.starts_with("0x") ? take_hex(rest) : take_decimal(rest);
    if (!value || !rest.empty()) {
        throw Mistake{where, "must be a number, decimal or 0x hex"};
    }
    return *value;
}

EventKind event(const json& value, const std::string& where) {
    if (value.is_null()) {
        return EventKind::none;
    }
    const std::string word = text(value, where);
    for (const auto& [known, kind] : {std::pair{"reset", EventKind::reset},
                                      {"recovered", EventKind::recovered},
                                      {"boot", EventKind::boot},
                                      {"gone", EventKind::gone}}) {
        if (word == known) {
            return kind;
        }
    }
    throw Mistake{where, "reset, recovered, boot or gone"};
}

void split(std::string_view wording, Pattern& pattern, const std::string& where) {
    while (true) {
        const std::size_t mark = wording.find("%{");
        Pattern::Piece piece{std::string(wording.substr(0, mark)), -1};
        if (mark == std::string_view::npos) {
            pattern.pieces.push_back(std::move(piece));
            break;
        }
        wording.remove_prefix(mark + 2);
        const auto field_name = take_until(wording, '}');
        if (!field_name || field_name->empty()) {
            throw Mistake{where, "%{ needs a field's name and }"};
        }
        piece.field = static_cast<int>(pattern.fields.size());
        pattern.fields.emplace_back().name = *field_name;
        pattern.pieces.push_back(std::move(piece));
    }
    if (pattern.pieces.front().literal.empty() || pattern.pieces.front().literal[0] == ' ') {
        throw Mistake{where, "must begin with fixed text, not with a blank"};
    }
    if (pattern.pieces.size() > 32) {
        throw Mistake{where, "more than 31 fields"};
    }
}

FieldKind kind(const std::string& word, const std::string& where) {
    for (const auto& [known, value] : {std::pair{"hex", FieldKind::hex},
                                       {"dec", FieldKind::dec},
                                       {"word", FieldKind::word},
                                       {"text", FieldKind::text}}) {
        if (word == known) {
            return value;
        }
    }
    throw Mistake{where, "type is hex, dec, word or text"};
}

} // namespace barscope::fwlog::document
