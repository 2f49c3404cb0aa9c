// Rows of columns SEQ, CODE and DATA: columns are found by their names, in any order, and others are kept.
// Without headings the first three are taken. Whatever does not fit stays as it is.
#include "parser.h"

#include <algorithm>
#include <array>
#include <vector>

#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

enum class Column : std::uint8_t { sequence, code, data, time, severity, message, other };

constexpr std::string_view separators = " \t,|;";

std::string_view take_word(std::string_view& rest) {
    const std::size_t begin = rest.find_first_not_of(separators);
    if (begin == std::string_view::npos) {
        rest = {};
        return {};
    }
    const std::size_t end = std::min(rest.find_first_of(separators, begin), rest.size());
    const std::string_view word = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return word;
}

std::string lower(std::string_view word) {
    std::string text(word);
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

Column column_of(std::string_view heading) {
    const std::string word = lower(heading);
    if (word == "seq" || word == "sequence" || word == "seqno" || word == "seq#") {
        return Column::sequence;
    }
    if (word == "code" || word == "event") {
        return Column::code;
    }
    if (word == "data" || word.starts_with("data")) {
        return Column::data;
    }
    if (word == "time" || word == "timestamp" || word == "ts") {
        return Column::time;
    }
    if (word == "severity" || word == "level" || word == "sev") {
        return Column::severity;
    }
    return word == "message" || word == "msg" || word == "text" ? Column::message : Column::other;
}

// A number alone: hex with 0x or with a letter in it, else decimal.
std::optional<std::uint64_t> number(std::string_view word, bool& hex) {
    hex = word.starts_with("0x") || word.starts_with("0X") ||
          std::any_of(word.begin(), word.end(), [](char c) { return !is_digit(c); });
    const auto value = hex ? take_hex(word) : take_decimal(word);
    return word.empty() ? value : std::nullopt;
}

// Hex digits, with 0x or in groups of 2, 4, 8 or 16.
std::optional<std::uint64_t> data_word(std::string_view word, unsigned& digits) {
    static_cast<void>(take(word, "0x"));
    digits = static_cast<unsigned>(word.size());
    const auto value = take_hex(word);
    return word.empty() ? value : std::nullopt;
}

unsigned width_of(unsigned digits) {
    return digits <= 2 ? 8 : digits <= 4 ? 16 : digits <= 8 ? 32 : 64;
}

class TableParser final : public Parser {
  public:
    explicit TableParser(const PatternSet& patterns) : codes_(patterns.table("fwlog-code")) {}
    std::string_view source_name() const override { return "table"; }
    bool wants_patterns() const override { return false; }

    void parse(std::string_view row, Record& out) override {
        out.message = row;
        if (row.starts_with("#")) {
            out.kind = RecordKind::comment;
            return;
        }
        if (is_table_heading(row)) {
            out.kind = RecordKind::comment;
            read_heading(row);
            return;
        }
        parse_row(row, out);
    }

  private:
    void read_heading(std::string_view row) {
        columns_.clear();
        for (std::string_view word = take_word(row); !word.empty(); word = take_word(row)) {
            columns_.push_back(column_of(word));
        }
    }

    void parse_row(std::string_view row, Record& out) {
        out.clock = Clock::none;
        std::string_view rest = row;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool last = i + 1 == columns_.size();
            const Column column = columns_[i];
            if (last && (column == Column::data || column == Column::message)) {
                take_rest(column, rest, out);
                return;
            }
            const std::string_view word = take_word(rest);
            if (word.empty()) {
                not_parsed(out, "fewer columns than the heading");
                return;
            }
            if (!take_cell(column, word, out)) {
                not_parsed(out, column == Column::sequence ? "SEQ is not a number" : "CODE is not a number");
                return;
            }
        }
        if (rest.find_first_not_of(separators) != std::string_view::npos) {
            not_parsed(out, "more columns than the heading");
        }
    }

    // False where the cell is not what its column must hold.
    bool take_cell(Column column, std::string_view word, Record& out) {
        bool hex = false;
        switch (column) {
        case Column::sequence:
            out.sequence = number(word, hex);
            // A counter that is printed with all its digits tells its width.
            out.sequence_bits = static_cast<std::uint8_t>(hex && word.size() == 6    ? 16
                                                          : hex && word.size() == 10 ? 32
                                                                                     : 0);
            return out.sequence.has_value();
        case Column::code:
            out.code = number(word, hex);
            out.code_name = out.code && codes_ != nullptr ? codes_->find(*out.code) : std::string_view();
            return out.code.has_value();
        case Column::data:
            add_data(word, out);
            return true;
        case Column::time:
            out.time_text = word;
            return true;
        case Column::severity:
            out.level = out.severity = parse_severity(lower(word)).value_or(Severity::unknown);
            return true;
        case Column::message:
            out.message = word;
            return true;
        case Column::other:
            break;
        }
        return true; // it stays in `raw`
    }

    static void add_data(std::string_view word, Record& out) {
        unsigned digits = 0;
        if (const auto value = data_word(word, digits)) {
            out.data.push_back(*value);
            out.data_width = static_cast<std::uint8_t>(std::max<unsigned>(out.data_width, width_of(digits)));
        }
    }

    // The last column takes what is left: words of data where all of it is hex, else text.
    static void take_rest(Column column, std::string_view rest, Record& out) {
        const std::size_t begin = std::min(rest.find_first_not_of(separators), rest.size());
        rest.remove_prefix(begin);
        while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\t')) {
            rest.remove_suffix(1);
        }
        out.message = rest;
        std::string_view words = rest;
        std::size_t count = 0;
        for (std::string_view word = take_word(words); column == Column::data && !word.empty();
             word = take_word(words)) {
            add_data(word, out);
            ++count;
        }
        if (out.data.size() != count) { // not hex throughout: text
            out.data.clear();
            out.data_width = 0;
        }
    }

    const NameTable* codes_;
    std::vector<Column> columns_{Column::sequence, Column::code, Column::data};
};

} // namespace

bool is_table_heading(std::string_view row) {
    bool sequence = false;
    bool code = false;
    for (std::string_view word = take_word(row); !word.empty(); word = take_word(row)) {
        const Column column = column_of(word);
        sequence = sequence || column == Column::sequence;
        code = code || column == Column::code;
    }
    return sequence && code;
}

bool is_table_row(std::string_view row) {
    bool hex = false;
    for (int i = 0; i < 3; ++i) {
        const std::string_view word = take_word(row);
        if (word.empty() || !number(word, hex)) {
            return false;
        }
    }
    return true;
}

std::unique_ptr<Parser> make_table_parser(const PatternSet& patterns) {
    return std::make_unique<TableParser>(patterns);
}

} // namespace barscope::fwlog
