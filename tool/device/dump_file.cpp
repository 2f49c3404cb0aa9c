#include <device/dump_file.h>

#include <algorithm>

#include <device/number.h>

namespace barscope::tool {

namespace {

constexpr std::size_t config_space_size = 4096;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string_view next_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

std::string_view next_word(std::string_view& rest) {
    rest = trim(rest);
    std::size_t end = 0;
    while (end < rest.size() && !is_space(rest[end])) {
        ++end;
    }
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

bool is_text(std::string_view content) {
    return std::all_of(content.begin(), content.end(),
                       [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\r' || c == '\t'; });
}

std::string at_line(const std::string& where, std::size_t line) {
    return where + ", line " + std::to_string(line);
}

Error bad_line(const std::string& where, std::size_t line, std::string what) {
    return {.code = ErrorCode::bad_input,
            .cause = "bad-dump-file",
            .what = std::move(what),
            .where = at_line(where, line),
            .remedy = "lines are \"ADDRESS VALUE\", such as \"0x1000 0x000000b2\"; # starts a comment"};
}

// "10: 61 c0 ...": a hex address, a colon, and bytes of two hex digits.
struct ByteRow {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
};

std::optional<ByteRow> parse_byte_row(std::string_view line) {
    line = trim(line);
    const std::size_t colon = line.find(':');
    if (colon < 2 || colon > 4) {
        return std::nullopt;
    }
    const auto address = parse_hex(line.substr(0, colon));
    if (!address) {
        return std::nullopt;
    }
    ByteRow row{*address, {}};
    std::string_view rest = line.substr(colon + 1);
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        const auto byte = parse_hex(word);
        if (word.size() != 2 || !byte) {
            return std::nullopt;
        }
        row.bytes.push_back(static_cast<std::uint8_t>(*byte));
    }
    if (row.bytes.empty()) {
        return std::nullopt;
    }
    return row;
}

bool has_byte_rows(std::string_view text) {
    for (std::string_view rest = text; !rest.empty();) {
        if (parse_byte_row(next_line(rest))) {
            return true;
        }
    }
    return false;
}

std::uint8_t hex_digits(std::string_view word) {
    const bool hex = word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    return hex ? static_cast<std::uint8_t>(std::min<std::size_t>(word.size() - 2, 255)) : std::uint8_t{0};
}

} // namespace

DumpImage DumpImage::from_bytes(std::vector<std::uint8_t> bytes, std::uint64_t base) {
    DumpImage image;
    image.bytes_ = std::move(bytes);
    image.base_ = base;
    return image;
}

Result<DumpImage> DumpImage::from_value_lines(std::string_view text, const std::string& where) {
    DumpImage image;
    image.format_ = "address-value lines";
    std::uint32_t number = 0;
    for (std::string_view rest = text; !rest.empty();) {
        std::string_view line = next_line(rest);
        ++number;
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) {
            continue;
        }
        std::string_view address_text = next_word(line);
        if (address_text.size() > 1 && address_text.back() == ':') {
            address_text.remove_suffix(1);
        }
        const std::string_view value_text = next_word(line);
        const auto address = parse_number(address_text);
        const auto value = parse_number(value_text);
        if (!address || !value || !trim(line).empty()) {
            return fail(bad_line(where, number, "this line is not an address and a value"));
        }
        image.rows_.push_back({*address, *value, number, hex_digits(value_text)});
    }
    if (auto indexed = image.index_rows(where); !indexed) {
        return fail(std::move(indexed.error()));
    }
    return image;
}

Result<void> DumpImage::index_rows(const std::string& where) {
    if (rows_.empty()) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "empty-dump-file",
                     .what = "the file holds no values",
                     .where = where,
                     .remedy = "lines are \"ADDRESS VALUE\", such as \"0x1000 0x000000b2\""});
    }
    // Values padded with zeros to one length tell their width; any others are taken as 32-bit words.
    const std::uint8_t digits = rows_.front().digits;
    const bool padded =
        std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.digits == digits; });
    const bool wide =
        std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.value >> 32 != 0; });
    row_width_ = wide ? 64 : 32;
    if (padded && (digits == 2 || digits == 4 || digits == 8 || digits == 16)) {
        row_width_ = digits * 4U;
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.address < b.address; });
    for (std::size_t i = 1; i < rows_.size(); ++i) {
        const Row& before = rows_[i - 1];
        if (before.address == rows_[i].address && before.value != rows_[i].value) {
            return fail(bad_line(where, rows_[i].line,
                                 "this address has another value in line " + std::to_string(before.line)));
        }
    }
    return {};
}

Result<DumpImage> DumpImage::from_byte_rows(std::string_view text, const std::string& where) {
    DumpImage image;
    image.format_ = "byte rows";
    std::size_t number = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const auto row = parse_byte_row(next_line(rest));
        ++number;
        if (!row) {
            continue;
        }
        const std::size_t end = static_cast<std::size_t>(row->address) + row->bytes.size();
        if (end > config_space_size) {
            return fail(bad_line(where, number, "this row lies beyond configuration space"));
        }
        if (image.bytes_.size() < end) {
            image.bytes_.resize(end);
            image.present_.resize(end);
        }
        for (std::size_t i = 0; i < row->bytes.size(); ++i) {
            const std::size_t at = static_cast<std::size_t>(row->address) + i;
            if (image.present_[at]) {
                Error error = bad_line(where, number, "this row's bytes are given a second time");
                error.remedy = "cut the file down to one device";
                return fail(std::move(error));
            }
            image.bytes_[at] = row->bytes[i];
            image.present_[at] = true;
        }
    }
    return image;
}

Result<DumpImage> DumpImage::parse(std::string content, std::uint64_t base, const std::string& where) {
    if (content.empty()) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "empty-dump-file",
                     .what = "the file is empty",
                     .where = where,
                     .remedy = "give a binary image, or lines \"ADDRESS VALUE\""});
    }
    if (!is_text(content)) {
        return from_bytes(std::vector<std::uint8_t>(content.begin(), content.end()), base);
    }
    return has_byte_rows(content) ? from_byte_rows(content, where) : from_value_lines(content, where);
}

std::uint64_t DumpImage::end() const {
    if (!rows_.empty()) {
        return rows_.back().address + row_width_ / 8;
    }
    return base_ + bytes_.size();
}

std::optional<std::uint64_t> DumpImage::word(std::uint64_t address, unsigned width,
                                             safety::ByteOrder order) const {
    if (!rows_.empty()) {
        return word_in_rows(address, width, order);
    }
    const std::size_t count = width / 8;
    if (address < base_ || address - base_ >= bytes_.size() || bytes_.size() - (address - base_) < count) {
        return std::nullopt;
    }
    const auto at = static_cast<std::size_t>(address - base_);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!present_.empty() && !present_[at + i]) {
            return std::nullopt;
        }
        const std::size_t place = order == safety::ByteOrder::little ? i : count - 1 - i;
        value |= std::uint64_t{bytes_[at + i]} << (8 * place);
    }
    return value;
}

const DumpImage::Row* DumpImage::find(std::uint64_t address) const {
    const auto row = std::lower_bound(rows_.begin(), rows_.end(), address,
                                      [](const Row& r, std::uint64_t a) { return r.address < a; });
    return row != rows_.end() && row->address == address ? &*row : nullptr;
}

// A row's value is a number already, whatever the byte order of the space was; order matters only where a
// word is cut out of a row or put together from several.
std::optional<std::uint64_t> DumpImage::word_in_rows(std::uint64_t address, unsigned width,
                                                     safety::ByteOrder order) const {
    const unsigned row_bytes = row_width_ / 8;
    if (width >= row_width_) {
        std::uint64_t value = 0;
        const unsigned parts = width / row_width_;
        for (unsigned i = 0; i < parts; ++i) {
            const Row* row = find(address + std::uint64_t{i} * row_bytes);
            if (row == nullptr) {
                return std::nullopt;
            }
            const unsigned place = order == safety::ByteOrder::little ? i : parts - 1 - i;
            value |= row->value << (place * row_width_);
        }
        return value;
    }
    const std::uint64_t inside = address % row_bytes;
    const Row* row = find(address - inside);
    if (row == nullptr) {
        return std::nullopt;
    }
    const std::uint64_t place = order == safety::ByteOrder::little ? inside : row_bytes - inside - width / 8;
    return (row->value >> (8 * place)) & ((std::uint64_t{1} << width) - 1);
}

} // namespace barscope::tool
