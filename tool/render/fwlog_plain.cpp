// Plain rows as text: a long log is made of them, so each byte is written once and nothing is looked at
// twice.
#include <render/fwlog_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace barscope::tool {

namespace {

using namespace log_columns;

constexpr std::uint64_t highest_line = 9'999'999; // that the column holds
constexpr std::size_t piece = fwlog::readable_behind_row;

// The number of a row, right-aligned, and the next one's.
class LineNumber {
  public:
    explicit LineNumber(std::uint64_t first) {
        digits_.fill(' ');
        std::array<char, line_width> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), first).ptr;
        const auto used = static_cast<std::size_t>(end - text.data());
        std::memcpy(digits_.data() + line_width - used, text.data(), used);
    }
    void put(char* out) const { std::memcpy(out, digits_.data(), line_width); }
    void advance() {
        std::size_t at = line_width - 1;
        for (; at > 0 && digits_[at] == '9'; --at) {
            digits_[at] = '0';
        }
        digits_[at] = digits_[at] == ' ' ? '1' : static_cast<char>(digits_[at] + 1);
    }

  private:
    std::array<char, line_width> digits_{};
};

// "      -  ": the row's source states no severity.
constexpr std::array<char, text_column> prefix = [] {
    std::array<char, text_column> text{};
    text.fill(' ');
    text[line_width + 2] = '-';
    return text;
}();

char* put_row(char* out, const LineNumber& number, const fwlog::PlainRow& row) {
    const std::string_view stamp = row.stamp(), message = row.message();
    std::memcpy(out, prefix.data(), prefix.size());
    number.put(out);
    std::memcpy(out + text_column - 2 - stamp.size(), stamp.data(), stamp.size());
    out += text_column;
    // In pieces of one size: how many bytes a row has cannot be foreseen by the processor.
    for (std::size_t done = 0; done < message.size(); done += piece) {
        std::memcpy(out + done, message.data() + done, piece);
    }
    out += message.size();
    while (out[-1] == ' ') {
        --out;
    }
    *out = '\n';
    return out + 1;
}

bool simple(const fwlog::PlainRow& row) {
    return row.ascii && row.stamp().size() <= time_width;
}

} // namespace

void append_plain_rows(std::string& out, const Style& style, const fwlog::PlainRows& rows,
                       fwlog::FieldText& field_text) {
    LineNumber number(std::min(rows.first_line, highest_line));
    fwlog::Record record;
    for (std::size_t i = 0; i < rows.rows.size();) {
        std::size_t end = i;
        std::size_t room = piece;
        for (; end < rows.rows.size() && simple(rows.rows[end]) && rows.first_line + end <= highest_line;
             ++end) {
            room += text_column + rows.rows[end].size + 1;
        }
        const std::size_t at = out.size();
        out.resize(at + room);
        char* next = out.data() + at;
        for (; i < end; ++i) {
            next = put_row(next, number, rows.rows[i]);
            number.advance();
        }
        out.resize(static_cast<std::size_t>(next - out.data()));
        if (i < rows.rows.size()) { // a row of another kind
            fwlog::fill(record, rows, i);
            append_log_record(out, style, record, field_text);
            number.advance();
            ++i;
        }
    }
}

} // namespace barscope::tool
