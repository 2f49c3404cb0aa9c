#include "loader_symbols.h"

#include <bit>
#include <cstring>

namespace barscope::regmaps {

SymbolTable::SymbolTable(const Tables& tables)
    : tables_(tables), slots_(256),
      // Differs from run to run, so that no map can be written whose names all fall on one slot.
      seed_(reinterpret_cast<std::uintptr_t>(slots_.data()) * 0x9e3779b97f4a7c15U) {}

std::uint32_t SymbolTable::hash(Index where, std::string_view name) const {
    std::uint64_t h = seed_ ^ where ^ (static_cast<std::uint64_t>(name.size()) << 32);
    const auto mix = [&h](std::uint64_t word) {
        h = (h ^ word) * 0x9e3779b97f4a7c15U;
        h ^= h >> 32;
    };
    const char* p = name.data();
    std::size_t left = name.size();
    for (; left >= 8; left -= 8, p += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, p, 8);
        mix(word);
    }
    std::uint64_t word = 0;
    if (left > 0) {
        std::memcpy(&word, p, left);
    }
    mix(word);
    mix(seed_);
    return static_cast<std::uint32_t>(h) | 1;
}

// The slot that holds the name, or the free one where it belongs.
std::size_t SymbolTable::slot_of(std::uint32_t hash, Index where, std::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (hash >> 1) & mask;
    while (slots_[at].hash != 0) {
        const Slot& slot = slots_[at];
        if (slot.hash == hash && slot.where == where && tables_.text(slot.name) == name) {
            break;
        }
        at = (at + 1) & mask;
    }
    return at;
}

std::optional<Symbol> SymbolTable::add(Index where, Text name, Symbol symbol) {
    if ((used_ + 1) * 2 > slots_.size()) {
        grow(slots_.size() * 2);
    }
    const std::uint32_t h = hash(where, tables_.text(name));
    Slot& slot = slots_[slot_of(h, where, tables_.text(name))];
    if (slot.hash != 0) {
        return Symbol{slot.kind, slot.index};
    }
    slot = {name, where, symbol.index, h, symbol.kind};
    ++used_;
    return std::nullopt;
}

Symbol SymbolTable::find(Index where, std::string_view name) const {
    const Slot& slot = slots_[slot_of(hash(where, name), where, name)];
    return slot.hash == 0 ? Symbol{} : Symbol{slot.kind, slot.index};
}

void SymbolTable::reserve(std::size_t names) {
    const std::size_t size = std::bit_ceil(names * 2 + 16);
    if (size > slots_.size()) {
        grow(size);
    }
}

void SymbolTable::grow(std::size_t size) {
    std::vector<Slot> old(size);
    old.swap(slots_);
    const std::size_t mask = size - 1;
    for (const Slot& slot : old) {
        if (slot.hash != 0) {
            std::size_t at = (slot.hash >> 1) & mask;
            while (slots_[at].hash != 0) {
                at = (at + 1) & mask;
            }
            slots_[at] = slot;
        }
    }
}

std::vector<std::string_view> SymbolTable::names_in(Index where) const {
    std::vector<std::string_view> names;
    for (const Slot& slot : slots_) {
        if (slot.hash != 0 && slot.where == where) {
            names.push_back(tables_.text(slot.name));
        }
    }
    return names;
}

} // namespace barscope::regmaps
