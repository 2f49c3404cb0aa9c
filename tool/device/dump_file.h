// A dump file's content: a binary image, "address value" lines, or the byte rows of `lspci -x`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <safety/access.h>
#include <safety/error.h>

namespace barscope::tool {

// Words are looked up by address; nothing is read between the lines: a byte that the file does not hold is
// not there.
class DumpImage {
  public:
    // A contiguous image whose first byte has the address `base`.
    static DumpImage from_bytes(std::vector<std::uint8_t> bytes, std::uint64_t base);
    // "0x00140780 0x000000b2" a line; '#' starts a comment. `where` names the file in errors.
    static Result<DumpImage> from_value_lines(std::string_view text, const std::string& where);
    // "00: f4 1a 00 10 ..." a line, other lines ignored (`lspci -x`, `-xxx`, `-xxxx` of one device).
    static Result<DumpImage> from_byte_rows(std::string_view text, const std::string& where);
    // Whichever of the three it is. `base` is used for a binary image only.
    static Result<DumpImage> parse(std::string content, std::uint64_t base, const std::string& where);

    // Nothing where the file does not hold all of the word.
    std::optional<std::uint64_t> word(std::uint64_t address, unsigned width, safety::ByteOrder order) const;
    std::uint64_t end() const; // one past the last address
    bool contiguous() const { return rows_.empty(); }
    const char* format() const { return format_; } // "binary", "address-value lines", "byte rows"

  private:
    struct Row {
        std::uint64_t address = 0;
        std::uint64_t value = 0;
        std::uint32_t line = 0;
        std::uint8_t digits = 0; // of a hex value; 0 for another base
    };
    Result<void> index_rows(const std::string& where);
    const Row* find(std::uint64_t address) const;
    std::optional<std::uint64_t> word_in_rows(std::uint64_t address, unsigned width,
                                              safety::ByteOrder order) const;

    std::vector<std::uint8_t> bytes_;
    std::vector<bool> present_; // of bytes_, where it has holes; empty: all
    std::uint64_t base_ = 0;
    std::vector<Row> rows_; // ascending by address
    unsigned row_width_ = 32;
    const char* format_ = "binary";
};

} // namespace barscope::tool
