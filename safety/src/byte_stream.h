// Numbers and strings through a pipe between two processes of this same program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace barscope::safety {

class ByteWriter {
  public:
    void number(std::uint32_t value) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            bytes_ += static_cast<char>(value >> shift);
        }
    }
    void text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        bytes_ += value;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

// Nothing beyond the end: an answer that was cut short is no answer.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
    std::optional<std::uint32_t> number() {
        if (rest_.size() < 4) {
            return std::nullopt;
        }
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            value |= std::uint32_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
        }
        rest_.remove_prefix(4);
        return value;
    }
    std::optional<std::string_view> text() {
        const std::optional<std::uint32_t> length = number();
        if (!length || rest_.size() < *length) {
            return std::nullopt;
        }
        const std::string_view value = rest_.substr(0, *length);
        rest_.remove_prefix(*length);
        return value;
    }

  private:
    std::string_view rest_;
};

} // namespace barscope::safety
