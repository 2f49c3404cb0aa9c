#include <device/hex_rows.h>

#include <algorithm>
#include <span>

#include <device/number.h>

namespace barscope::tool {

namespace {

constexpr std::string_view blanks = " \t\r,";

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool all_hex(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_hex);
}

std::string_view trimmed_end(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t\r");
    return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string_view take_word(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
    rest.remove_prefix(word.size());
    return word;
}

// "|....|" of hexdump -C, ">....<" of od: cut off `rest` and returned.
std::string_view take_fenced(std::string_view& rest) {
    for (const auto& [open, close] : {std::pair{'|', '|'}, std::pair{'>', '<'}}) {
        const std::size_t begin = rest.find(open);
        if (begin != std::string_view::npos && rest.back() == close && begin + 1 < rest.size()) {
            const std::string_view inside = rest.substr(begin + 1, rest.size() - begin - 2);
            rest = rest.substr(0, begin);
            return inside;
        }
    }
    return {};
}

// "  ..@...": behind the groups of xxd, two blanks apart, as many characters as bytes, up to the line's end.
std::string_view take_unfenced(std::string_view& rest) {
    std::size_t at = std::min(rest.find_first_not_of(' '), rest.size());
    std::size_t bytes = 0;
    for (;;) {
        const std::size_t begin = at;
        while (at < rest.size() && is_hex(rest[at])) {
            ++at;
        }
        bytes += (at - begin) / 2;
        const bool another = at + 1 < rest.size() && rest[at] == ' ' && is_hex(rest[at + 1]);
        if (begin == at || !another) {
            break;
        }
        ++at;
    }
    const std::string_view behind = rest.substr(at);
    if (!behind.starts_with("  ")) {
        return {}; // there is no such column
    }
    rest = rest.substr(0, at);
    // Where trailing blanks were cut off, the column says nothing any more.
    return behind.size() < bytes + 2 ? std::string_view() : behind.substr(behind.size() - bytes);
}

class Splitter {
  public:
    explicit Splitter(const std::string& where) : where_(where) {}

    Result<HexRows> run(std::string_view text) {
        std::size_t number = 0;
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            std::string_view line = text.substr(0, end);
            line.remove_suffix(line.ends_with('\r') ? 1 : 0);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            ++number;
            if (auto taken = take_line(line, number); !taken) {
                return fail(std::move(taken.error()));
            }
        }
        if (!out_.shape.colon) {
            find_offsets();
        }
        return std::move(out_);
    }

  private:
    Error bad_line(std::size_t line, std::string_view what) const {
        return {
            ErrorCode::bad_input, "not-a-hex-dump", std::string(what),
            where_ + ", line " + std::to_string(line),
            "give the output of xxd, hexdump -C or od -A x, or hex bytes; --form binary takes the bytes as "
            "they are"};
    }

    Result<void> take_line(std::string_view line, std::size_t number) {
        HexRow row;
        row.line = number;
        std::string_view rest = trimmed_end(line);
        if (rest.find_first_not_of(blanks) == std::string_view::npos) {
            return {};
        }
        if (rest == "*") {
            row.repeats = true;
            out_.rows.push_back(row);
            return {};
        }
        const std::size_t colon = rest.find(':');
        const std::size_t begin = rest.find_first_not_of(blanks);
        if (colon != std::string_view::npos && all_hex(rest.substr(begin, colon - begin)) &&
            colon + 1 < rest.size() && rest[colon + 1] == ' ') {
            row.offset = rest.substr(begin, colon - begin);
            // The characters may end in blanks, so the whole line is looked at for them.
            rest = line.substr(colon + 1);
            row.ascii = take_unfenced(rest);
        } else {
            row.ascii = take_fenced(rest);
        }
        if (out_.rows.empty()) {
            out_.shape.colon = !row.offset.empty();
        } else if (out_.shape.colon != !row.offset.empty()) {
            return fail(bad_line(number, "some rows have an offset with a colon and this one differs"));
        }
        return take_groups(rest, row);
    }

    Result<void> take_groups(std::string_view rest, HexRow& row) {
        for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
            if (word.starts_with("0x") || word.starts_with("0X")) {
                word.remove_prefix(2);
                row.prefixed = true;
            }
            if (!all_hex(word)) {
                return fail(bad_line(row.line, "\"" + escaped(word) + "\" is not hex digits"));
            }
            row.groups.push_back(word);
        }
        if (row.groups.empty() && row.offset.empty()) {
            return fail(bad_line(row.line, "there are no hex digits"));
        }
        out_.rows.push_back(std::move(row));
        return {};
    }

    // Without colons: the first group of each row is its offset where it is of another width than the others,
    // which are alike, or where it counts the bytes.
    void find_offsets() {
        if (!(first_groups_differ() || first_groups_count_bytes())) {
            return;
        }
        out_.shape.offsets = true;
        for (HexRow& row : out_.rows) {
            if (!row.groups.empty()) {
                row.offset = row.groups.front();
                row.groups.erase(row.groups.begin());
            }
        }
    }

    bool first_groups_differ() const {
        std::size_t first = 0;
        std::size_t other = 0;
        std::size_t rows = 0;
        for (const HexRow& row : out_.rows) {
            if (row.repeats) {
                continue;
            }
            first = first == 0 ? row.groups.front().size() : first;
            if (row.prefixed || row.groups.front().size() != first) {
                return false;
            }
            for (const std::string_view group : std::span(row.groups).subspan(1)) {
                other = other == 0 ? group.size() : other;
                if (group.size() != other) {
                    return false;
                }
            }
            ++rows;
        }
        // A single row might be anything: six digits and more before bytes are an offset.
        return other != 0 && first != other && (rows > 1 || (first >= 6 && other == 2));
    }

    // Offsets as wide as the words, told by that each says where its row begins.
    bool first_groups_count_bytes() const {
        return std::any_of(offset_bases.begin(), offset_bases.end(),
                           [this](int base) { return first_groups_count_bytes(base); });
    }

    bool first_groups_count_bytes(int base) const {
        std::size_t pairs = 0;
        for (std::size_t i = 0; i + 1 < out_.rows.size(); ++i) {
            const HexRow& row = out_.rows[i];
            const HexRow& next = out_.rows[i + 1];
            if (row.repeats || next.repeats || next.groups.size() < 2) {
                continue;
            }
            const auto from = parse_digits(row.groups.front(), base);
            const auto to = parse_digits(next.groups.front(), base);
            const std::size_t bytes = (row.groups.size() - 1) * row.groups.front().size() / 2;
            if (!from || !to || *to - *from != bytes) {
                return false;
            }
            ++pairs;
        }
        return pairs != 0;
    }

    const std::string& where_;
    HexRows out_;
};

} // namespace

bool looks_like_text(std::string_view content) {
    return !content.empty() && std::all_of(content.begin(), content.end(), [](char c) {
        return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
    });
}

Result<HexRows> split_hex_rows(std::string_view text, const std::string& where) {
    auto rows = Splitter(where).run(text);
    if (rows) {
        rows->shape.offsets = rows->shape.offsets || rows->shape.colon;
    }
    return rows;
}

} // namespace barscope::tool
