// Records as bytes, each table at a multiple of 16.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace barscope::regmaps {

inline constexpr std::size_t image_alignment = 16;

inline void align(std::vector<std::byte>& bytes) {
    bytes.resize((bytes.size() + image_alignment - 1) / image_alignment * image_alignment);
}

// Writes records over the bytes from `at` on. The padding within records is zero where the compiler can tell
// it, so that the same maps give the same bytes in every build.
template <typename T>
void put_records(std::vector<std::byte>& bytes, std::size_t at, std::span<const T> records) {
    static_assert(std::is_trivially_copyable_v<T>);
    for (const T& record : records) {
        std::memcpy(bytes.data() + at, &record, sizeof(T));
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
        if constexpr (!std::has_unique_object_representations_v<T>) {
            T clean = record;
            __builtin_clear_padding(&clean);
            std::memcpy(bytes.data() + at, &clean, sizeof(T));
        }
#endif
#endif
        at += sizeof(T);
    }
}

// Appends a table; returns where it begins.
template <typename T>
std::size_t append_records(std::vector<std::byte>& bytes, std::span<const T> records) {
    align(bytes);
    const std::size_t at = bytes.size();
    bytes.resize(at + records.size() * sizeof(T));
    put_records(bytes, at, records);
    return at;
}

} // namespace barscope::regmaps
