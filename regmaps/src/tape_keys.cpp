#include "tape_keys.h"

#include <bit>
#include <cstring>

namespace barscope::regmaps {

namespace {

// A key's first eight bytes in one number (little-endian, zeros behind a shorter one) tell nearly all keys
// apart.
constexpr std::uint64_t head_of(std::string_view text) {
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < text.size() && i < 8; ++i) {
        head |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    }
    return head;
}

// The same with one load, where eight bytes can be read.
std::uint64_t head_of(std::string_view text, const char* end) {
    if (std::endian::native != std::endian::little || end - text.data() < 8) {
        return head_of(text);
    }
    std::uint64_t head = 0;
    std::memcpy(&head, text.data(), sizeof head);
    return text.size() < 8 ? head & ((std::uint64_t{1} << (8 * text.size())) - 1) : head;
}

constexpr std::size_t table_size = 256;

struct Slot {
    std::uint64_t head = 0;
    std::uint8_t size = 0;
    Key key = Key::other; // an empty slot
};

constexpr std::size_t slot_of(std::uint64_t head, std::size_t size) {
    return ((head * 0x9e3779b97f4a7c15) >> 48 ^ size) % table_size; // Fibonacci hashing
}

constexpr std::array<Slot, table_size> make_table() {
    std::array<Slot, table_size> table{};
    for (std::size_t i = 0; i < key_count; ++i) {
        const std::string_view text = key_texts[i];
        std::size_t slot = slot_of(head_of(text), text.size());
        while (table[slot].key != Key::other) {
            slot = (slot + 1) % table_size;
        }
        table[slot] = {head_of(text), static_cast<std::uint8_t>(text.size()), static_cast<Key>(i)};
    }
    return table;
}

constexpr std::array<Slot, table_size> table = make_table();

} // namespace

Key find_key(std::string_view text, const char* end) {
    const std::uint64_t head = head_of(text, end);
    for (std::size_t at = slot_of(head, text.size()); table[at].key != Key::other;
         at = (at + 1) % table_size) {
        const Slot& slot = table[at];
        if (slot.head == head && slot.size == text.size() &&
            (slot.size <= 8 || text.substr(8) == text_of(slot.key).substr(8))) {
            return slot.key;
        }
    }
    return Key::other;
}

} // namespace barscope::regmaps
