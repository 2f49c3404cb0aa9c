#include <device/paste_bytes.h>

#include <algorithm>

#include <device/number.h>

namespace barscope::tool {

namespace {

bool is_byte(const std::string& text) {
    return text.size() == 2 && parse_hex(text).has_value();
}

} // namespace

bool look_like_bytes(const std::vector<std::string>& values, std::size_t size) {
    return size > 1 && values.size() >= size && values.size() % size == 0 &&
           std::all_of(values.begin(), values.end(), is_byte);
}

Result<std::vector<std::uint8_t>> parse_bytes(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    std::string digits;
    const auto take = [&]() -> bool {
        std::string_view rest = digits;
        if (rest.starts_with("0x") || rest.starts_with("0X")) {
            rest.remove_prefix(2);
        }
        if (rest.size() % 2 != 0) {
            return false;
        }
        for (; !rest.empty(); rest.remove_prefix(2)) {
            const auto byte = parse_hex(rest.substr(0, 2));
            if (!byte) {
                return false;
            }
            bytes.push_back(static_cast<std::uint8_t>(*byte));
        }
        digits.clear();
        return true;
    };
    constexpr std::string_view separators = " \t\r\n,:";
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && separators.find(text[i]) == std::string_view::npos) {
            digits += text[i];
        } else if (!take()) {
            return fail({ErrorCode::usage, "bad-value", "these are not bytes in hex", digits,
                         "give two hex digits a byte, such as 00 1f a0"});
        }
    }
    return bytes;
}

void append_value(std::uint64_t value, std::size_t size, safety::ByteOrder order,
                  std::vector<std::uint8_t>& out) {
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t from = order == safety::ByteOrder::little ? i : size - 1 - i;
        out.push_back(static_cast<std::uint8_t>(value >> (8 * from)));
    }
}

std::uint64_t value_of(std::span<const std::uint8_t> bytes, safety::ByteOrder order) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t at = order == safety::ByteOrder::big ? i : bytes.size() - 1 - i;
        value = (value << 8) | bytes[at];
    }
    return value;
}

} // namespace barscope::tool
