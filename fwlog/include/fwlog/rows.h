// Bytes cut into rows, in bounded memory however long a row is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fwlog/plain_rows.h>
#include <safety/error.h>

namespace barscope::fwlog {

// Bytes in order, from a file, a pipe or memory.
class ByteStream {
  public:
    virtual ~ByteStream() = default;
    // How many bytes it gave; 0: there are no more (for now, where the stream can grow).
    virtual Result<std::size_t> read(std::span<char> out) = 0;
    // What was read last ends with the end of a row, however rows of its kind may go on: a record of
    // /dev/kmsg is read whole, and the next one may be long in coming.
    virtual bool at_row_end() const { return false; }
};

class MemoryStream final : public ByteStream {
  public:
    explicit MemoryStream(std::string_view bytes) : rest_(bytes) {}
    Result<std::size_t> read(std::span<char> out) override;

  private:
    std::string_view rest_;
};

enum class Framing : std::uint8_t {
    lines,
    kmsg,         // lines; one that begins with a blank continues the record before it
    json_objects, // the objects of the one array in a document: dmesg --json
};

struct Row {
    std::string_view bytes; // without its line break; a carriage return before that is kept
    std::uint64_t number = 0;
    bool torn = false; // the source ends within it: no line break, or no closing brace
    bool cut = false;  // longer than the limit: what follows comes as the next row
};

class Rows {
  public:
    static constexpr std::size_t longest = std::size_t{1} << 22;

    Rows(ByteStream& stream, Framing framing, std::size_t limit = longest);
    // False at the end. The row's bytes stay until the next call. After an error what was read before it is
    // given first, then the error.
    Result<bool> next(Row& row);

    // What is read and not given yet; it begins with a row.
    std::string_view waiting() const { return {buffer_.data() + first_, last_ - first_}; }
    // Passes over whole rows of it; returns the number of the first of them.
    std::uint64_t pass(std::uint64_t rows, std::size_t bytes) {
        first_ += bytes;
        looked_ = 0;
        number_ += rows;
        return number_ - rows + 1;
    }

  private:
    struct Found {
        std::size_t begin = 0, length = 0, taken = 0; // from first_
        bool row = false, torn = false;
    };
    Found find(bool ended);
    Found find_line(bool ended);
    Found find_kmsg(bool ended);
    Found find_object(bool ended);
    bool fill();

    ByteStream& stream_;
    Framing framing_;
    std::size_t limit_;
    std::vector<char> buffer_;
    std::size_t first_ = 0, last_ = 0; // what is in the buffer and not given yet
    std::size_t looked_ = 0;           // bytes from first_ that hold no end of a row
    std::uint64_t number_ = 0;
    bool ended_ = false, in_array_ = false;
    std::optional<Error> error_;
};

} // namespace barscope::fwlog
