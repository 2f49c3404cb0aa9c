// dmesg, journalctl and syslog, row by row: a saved log may hold several of them.
#include "parser.h"
#include "row_header.h"
#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

constexpr std::uint64_t restart_ns =
    5'000'000'000; // a kernel clock that goes back this far belongs to another boot

bool is_comment(std::string_view row) {
    return row == "#" || row.starts_with("# ");
}
// What journalctl says between the rows.
bool is_journal_mark(std::string_view row) {
    return row.starts_with("-- ") && row.ends_with(" --");
}

class RowsParser final : public Parser {
  public:
    explicit RowsParser(const PatternSet& patterns) : patterns_(patterns) {}
    std::string_view source_name() const override { return "kernel log"; }

    void parse(std::string_view row, Record& out) override {
        if ((row[0] == '#' || row[0] == '-') && (is_comment(row) || is_journal_mark(row))) {
            out.kind = RecordKind::comment;
            out.message = row;
            out.new_boot = row.starts_with("-- Boot ") || row.starts_with("-- Reboot ");
            if (out.new_boot) {
                last_ns_ = 0;
            }
            return;
        }
        RowHeader header;
        if (!parse_row_header(row, header)) {
            out.message = row;
            if (!patterns_.concerns(row)) {
                not_parsed(out, "no known row form");
            }
            return;
        }
        out.time_ns = header.time_ns;
        out.clock = header.clock;
        out.time_text = header.time_text;
        out.received = header.received;
        out.program = header.program;
        out.message = header.message;
        out.level = out.severity = header.level;
        look_for_boot(out);
    }

    PlainFound take_plain(std::string_view bytes, std::span<PlainRow> out) override {
        const PlainFound found = find_plain(bytes, last_ns_, patterns_, Rows::longest, out);
        last_ns_ = found.last_ns;
        return found;
    }

  private:
    void look_for_boot(Record& out) {
        if (out.clock != Clock::kernel_monotonic) {
            return;
        }
        const std::uint64_t now = *out.time_ns;
        const bool restarted = now + restart_ns < last_ns_;
        const bool first_words =
            out.message.starts_with("Linux version ") && last_ns_ != 0 && now <= last_ns_;
        out.new_boot = restarted || first_words;
        last_ns_ = now;
    }

    const PatternSet& patterns_;
    std::uint64_t last_ns_ = 0;
};

class TextParser final : public Parser {
  public:
    std::string_view source_name() const override { return "text"; }
    bool gated() const override { return false; }
    void parse(std::string_view row, Record& out) override { out.message = row; }
};

} // namespace

std::unique_ptr<Parser> make_text_parser() {
    return std::make_unique<TextParser>();
}

std::unique_ptr<Parser> make_rows_parser(const PatternSet& patterns) {
    return std::make_unique<RowsParser>(patterns);
}

} // namespace barscope::fwlog
