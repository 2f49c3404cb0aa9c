// Rows that have a kernel stamp and nothing that any pattern is about: most rows of a long log. They come
// several at once, so that a log's length costs as little as can be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <fwlog/record.h>

namespace barscope::fwlog {

// What stands behind a plain row and may be read (but means nothing), so that rows can be copied in pieces of
// one size.
inline constexpr std::size_t readable_behind_row = 64;

struct PlainRow {
    const char* begin = nullptr; // "[  978.631877] text"
    std::uint32_t size = 0;
    std::uint8_t message_at = 0;
    bool ascii = false; // the row holds nothing but printable characters

    std::string_view raw() const { return {begin, size}; }
    std::string_view message() const { return raw().substr(message_at); }
    // Between the brackets, with the blanks that the kernel puts in front.
    std::string_view stamp() const { return {begin + 1, message_at - 3U}; }
};

// One behind the other, each stamped no earlier than the one before.
struct PlainRows {
    std::span<const PlainRow> rows;
    std::uint64_t first_line = 0;
    std::uint64_t first_ns = 0, last_ns = 0;
    std::string_view source;
};

// The record of one of them, as Source::next() would have given it.
void fill(Record& record, const PlainRows& rows, std::size_t which);

} // namespace barscope::fwlog
