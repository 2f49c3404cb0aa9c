#include "tape_keys.h"

namespace barscope::regmaps {

namespace {

constexpr std::size_t table_size = 256;

// Length and three characters tell nearly all keys apart; the table's probing does the rest.
constexpr std::size_t slot_of(std::string_view text) {
    const auto at = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(text[i]));
    };
    return (text.size() * 29 + at(0) * 7 + at(text.size() / 2) * 31 + at(text.size() - 1) * 3) % table_size;
}

constexpr std::array<Key, table_size> make_table() {
    std::array<Key, table_size> table{};
    for (Key& key : table) {
        key = Key::other;
    }
    for (std::size_t i = 0; i < key_count; ++i) {
        std::size_t slot = slot_of(key_texts[i]);
        while (table[slot] != Key::other) {
            slot = (slot + 1) % table_size;
        }
        table[slot] = static_cast<Key>(i);
    }
    return table;
}

// Keys are short: a loop over them costs less than a call of memcmp.
bool same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return false;
    }
    std::size_t i = 0;
    while (i < a.size() && a[i] == b[i]) {
        ++i;
    }
    return i == a.size();
}

constexpr std::array<Key, table_size> table = make_table();

} // namespace

Key find_key(std::string_view text) {
    if (text.empty()) {
        return Key::other;
    }
    std::size_t slot = slot_of(text);
    while (table[slot] != Key::other && !same(key_texts[static_cast<std::size_t>(table[slot])], text)) {
        slot = (slot + 1) % table_size;
    }
    return table[slot];
}

} // namespace barscope::regmaps
