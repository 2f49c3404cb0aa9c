#include <device/hex_text.h>

#include <algorithm>
#include <optional>

#include <device/hex_rows.h>
#include <device/number.h>

namespace barscope::tool {

namespace {

constexpr std::size_t od_digits = 7; // of octal and decimal offsets; hexdump without -C has as many, in hex

enum class Order { memory, little, undecided };

void append_group(std::string_view digits, Order order, std::vector<std::uint8_t>& out) {
    const std::size_t begin = out.size();
    for (; !digits.empty(); digits.remove_prefix(2)) {
        out.push_back(static_cast<std::uint8_t>(parse_hex(digits.substr(0, 2)).value_or(0)));
    }
    if (order == Order::little) {
        std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
    }
}

// What xxd, hexdump and od put for a byte in their column of characters.
bool shows(char shown, std::uint8_t byte) {
    const bool printable = byte >= ' ' && byte <= '~';
    return printable ? shown == static_cast<char>(byte) : shown == '.';
}

bool agrees(const HexRow& row, Order order) {
    std::vector<std::uint8_t> bytes;
    for (const std::string_view group : row.groups) {
        append_group(group, order, bytes);
    }
    return row.ascii.size() == bytes.size() && std::equal(bytes.begin(), bytes.end(), row.ascii.begin(),
                                                          [](std::uint8_t b, char c) { return shows(c, b); });
}

class Parser {
  public:
    Parser(HexRows rows, InputForm form, std::size_t limit, const std::string& where)
        : rows_(std::move(rows)), form_(form), limit_(limit), where_(where) {}

    Result<InputBytes> run() {
        for (const HexRow& row : rows_.rows) {
            for (const std::string_view group : row.groups) {
                if (group.size() % 2 != 0) {
                    return fail(at_line(row, "a group has an odd number of digits: " + std::string(group)));
                }
                widest_ = std::max(widest_, group.size());
            }
        }
        if (widest_ == 0) {
            return fail({ErrorCode::bad_input, "not-a-hex-dump", "there are no bytes in it", where_, {}});
        }
        order_ = decide_order();
        if (order_ == Order::undecided) {
            if (!same_either_way()) {
                return fail(ambiguous());
            }
            order_ = Order::memory;
        }
        if (auto based = decide_base(); !based) {
            return fail(std::move(based.error()));
        }
        for (std::size_t i = 0; i < rows_.rows.size(); ++i) {
            if (auto taken = take(i); !taken) {
                return fail(std::move(taken.error()));
            }
        }
        return InputBytes{std::move(bytes_), describe()};
    }

  private:
    Error at_line(const HexRow& row, std::string what) const {
        return {ErrorCode::bad_input,
                "bad-hex-dump",
                std::move(what),
                where_ + ", line " + std::to_string(row.line),
                {}};
    }

    Error ambiguous() const {
        return {ErrorCode::usage, "ambiguous-input",
                "groups of " + std::to_string(widest_) +
                    " hex digits may be bytes in memory order or little-endian words",
                where_, "say which: --form bytes or --form words"};
    }

    Order decide_order() const {
        if (form_ == InputForm::words) {
            return Order::little;
        }
        if (form_ == InputForm::bytes || form_ == InputForm::big_words || widest_ == 2) {
            return Order::memory;
        }
        if (rows_.shape.colon) {
            return order_by_characters();
        }
        if (rows_.shape.offsets) {
            return Order::little; // hexdump and od print numbers of this machine's order
        }
        const auto any = [&](auto&& holds) {
            return std::any_of(rows_.rows.begin(), rows_.rows.end(), holds);
        };
        if (any([](const HexRow& row) { return row.prefixed; })) {
            return Order::little; // 0x00400001 is a number
        }
        const bool one_a_line = !any([](const HexRow& row) { return row.groups.size() > 1; });
        return one_a_line && widest_ > 16 ? Order::memory : Order::undecided; // xxd -p
    }

    // xxd prints memory order, xxd -e and the kernel print words; the characters behind show the bytes.
    Order order_by_characters() const {
        bool memory = true;
        bool little = true;
        bool shown = false;
        for (const HexRow& row : rows_.rows) {
            if (!row.ascii.empty()) {
                shown = true;
                memory = memory && agrees(row, Order::memory);
                little = little && agrees(row, Order::little);
            }
        }
        if (shown && memory != little) {
            return memory ? Order::memory : Order::little;
        }
        return shown && memory && widest_ == 4 ? Order::memory : Order::undecided; // xxd's default
    }

    // Where no group reads differently backwards, nothing hangs on the order.
    bool same_either_way() const {
        return std::all_of(rows_.rows.begin(), rows_.rows.end(), [](const HexRow& row) {
            std::vector<std::uint8_t> memory;
            std::vector<std::uint8_t> little;
            for (const std::string_view group : row.groups) {
                append_group(group, Order::memory, memory);
                append_group(group, Order::little, little);
            }
            return memory == little;
        });
    }

    static std::size_t bytes_in(const HexRow& row) {
        std::size_t digits = 0;
        for (const std::string_view group : row.groups) {
            digits += group.size();
        }
        return digits / 2;
    }

    // Hex, or octal or decimal as od prints them with seven digits: the base in which the rows follow each
    // other.
    Result<void> decide_base() {
        if (!rows_.shape.offsets || rows_.shape.colon || rows_.rows.front().offset.size() != od_digits) {
            return {};
        }
        bool repeats = false;
        for (std::size_t i = 0; i + 1 < rows_.rows.size(); ++i) {
            const HexRow& row = rows_.rows[i];
            const HexRow& next = rows_.rows[i + 1];
            repeats = repeats || row.repeats || next.repeats;
            if (row.repeats || next.repeats || row.groups.empty()) {
                continue;
            }
            for (const std::size_t filled : {std::size_t{0}, next.groups.empty() ? widest_ / 2 - 1 : 0}) {
                for (const int base : offset_bases) {
                    if (follows(row, next, base, filled)) {
                        base_ = base;
                        return {};
                    }
                }
            }
            return fail(at_line(next, "the offset does not follow from the row before: rows are missing"));
        }
        return repeats ? Result<void>(
                             fail(Error{ErrorCode::usage, "ambiguous-input",
                                        "the offsets may be hex, octal or decimal, and repeated rows (*) "
                                        "are as long as they say",
                                        where_, "use hexdump -C or od -A x, which have hex offsets"}))
                       : Result<void>();
    }

    // A last word may be filled up with zeros beyond the total length.
    bool follows(const HexRow& row, const HexRow& next, int base, std::size_t filled) const {
        const auto from = parse_digits(row.offset, base);
        const auto to = parse_digits(next.offset, base);
        const std::size_t bytes = bytes_in(row);
        return from && to && *to > *from && *to - *from <= bytes && bytes - (*to - *from) <= filled;
    }

    Result<void> take(std::size_t i) {
        const HexRow& row = rows_.rows[i];
        if (row.repeats) {
            repeat_ = true;
            return bytes_.empty() ? Result<void>(fail(at_line(row, "* stands before any row")))
                   : rows_.shape.offsets && i + 1 < rows_.rows.size()
                       ? Result<void>()
                       : fail(at_line(row,
                                      "how often * repeats the row before is told by the offset behind it, "
                                      "which is missing"));
        }
        if (rows_.shape.offsets) {
            if (auto placed = place(row); !placed) {
                return placed;
            }
        }
        last_begin_ = bytes_.size();
        for (const std::string_view group : row.groups) {
            append_group(group, order_, bytes_);
        }
        return {};
    }

    Result<void> place(const HexRow& row) {
        const auto offset = parse_digits(row.offset, base_);
        if (!offset) {
            return fail(at_line(row, "\"" + std::string(row.offset) + "\" is not an offset"));
        }
        if (!begin_) {
            begin_ = *offset;
        }
        const std::uint64_t at = *offset - *begin_;
        if (*offset < *begin_ || (at < bytes_.size() && !row.groups.empty())) {
            return fail(at_line(row, "the offset goes back: are these two dumps?"));
        }
        if (at > bytes_.size() && !repeat_) {
            return fail(at_line(row, "the offset does not follow from the row before: rows are missing"));
        }
        if (at > limit_) {
            return fail(at_line(row, "the repeated rows are more than " + std::to_string(limit_) + " bytes"));
        }
        // "*" is one or more copies of the row before it.
        for (std::size_t from = last_begin_; bytes_.size() < at; ++from) {
            bytes_.push_back(bytes_[from]);
        }
        repeat_ = false;
        bytes_.resize(static_cast<std::size_t>(at)); // the total length of a dump that od filled up
        return {};
    }

    std::string describe() const {
        std::string text = "hex digits";
        if (rows_.shape.colon) {
            text = "rows of hex with offsets, as xxd prints them";
        } else if (rows_.shape.offsets) {
            text = "rows of hex with offsets, as hexdump and od print them";
        }
        if (order_ == Order::little) {
            return text + ", little-endian words of " + std::to_string(widest_ / 2) + " bytes";
        }
        return text + (form_ == InputForm::big_words ? ", big-endian words" : ", bytes in memory order");
    }

    HexRows rows_;
    InputForm form_;
    std::size_t limit_;
    const std::string& where_;
    std::size_t widest_ = 0; // digits of the longest group
    Order order_ = Order::undecided;
    int base_ = 16;
    std::optional<std::uint64_t> begin_; // offset of the first row
    std::vector<std::uint8_t> bytes_;
    std::size_t last_begin_ = 0; // of the last row in bytes_
    bool repeat_ = false;
};

} // namespace

Result<InputBytes> parse_input(std::string_view content, InputForm form, std::size_t limit,
                               const std::string& where) {
    if (form == InputForm::binary || (form == InputForm::automatic && !looks_like_text(content))) {
        return InputBytes{{content.begin(), content.end()}, "binary"};
    }
    auto rows = split_hex_rows(content, where);
    if (!rows) {
        return fail(std::move(rows.error()));
    }
    return Parser(std::move(*rows), form, limit, where).run();
}

} // namespace barscope::tool
