#include <fwlog/source.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compare.h"
#include "gaps.h"
#include "parser.h"

namespace barscope::fwlog {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 8> formats{{{"rows", Format::rows},
                                                                      {"kmsg", Format::kmsg},
                                                                      {"dmesg-json", Format::dmesg_json},
                                                                      {"journal-json", Format::journal_json},
                                                                      {"table", Format::table},
                                                                      {"text", Format::text},
                                                                      {"coredump", Format::coredump},
                                                                      {"binary", Format::binary}}};

std::unique_ptr<Parser> make_parser(Format format, const PatternSet& patterns) {
    switch (format) {
    case Format::kmsg:
        return make_kmsg_parser();
    case Format::dmesg_json:
        return make_dmesg_json_parser();
    case Format::journal_json:
        return make_journal_json_parser();
    case Format::table:
        return make_table_parser(patterns);
    case Format::text:
        return make_text_parser();
    case Format::rows:
    case Format::coredump:
    case Format::binary:
        break;
    }
    return make_rows_parser(patterns);
}

class RowSource final : public Source {
  public:
    RowSource(ByteStream& stream, std::unique_ptr<Parser> parser, const PatternSet& patterns)
        : parser_(std::move(parser)), source_name_(parser_->source_name()), rows_(stream, parser_->framing()),
          patterns_(patterns) {}

    Result<bool> next(Record& record) override {
        if (gaps_.take_held(record)) {
            return true;
        }
        Row row;
        auto more = rows_.next(row);
        if (!more || !*more) {
            return more;
        }
        record.clear();
        read(row, record);
        gaps_.see(record);
        return true;
    }

    PlainRows plain() override {
        if (gaps_.holding()) {
            return {};
        }
        const PlainFound found = parser_->take_plain(rows_.waiting(), plain_);
        if (found.count == 0) {
            return {};
        }
        return {.rows = std::span(plain_).first(found.count),
                .first_line = rows_.pass(found.count, found.bytes),
                .first_ns = found.first_ns,
                .last_ns = found.last_ns,
                .source = source_name_};
    }

  private:
    void read(const Row& row, Record& record) {
        record.raw = row.bytes;
        record.line = row.number;
        record.source = source_name_;
        const std::string_view text =
            row.bytes.ends_with('\r') ? row.bytes.substr(0, row.bytes.size() - 1) : row.bytes;
        if (text.find_first_not_of(" \t") == std::string_view::npos) {
            record.kind = RecordKind::blank;
            return;
        }
        parser_->parse(text, record);
        if (row.cut) {
            not_parsed(record, "a row of more than 4 MiB; it goes on in the next record");
        } else if (row.torn && parser_->framing() == Framing::json_objects) {
            not_parsed(record, "the row ends in its middle");
        }
        if (parser_->wants_patterns()) {
            recognise(record);
        }
    }

    void recognise(Record& record) {
        const bool unparsed = record.kind == RecordKind::unparsed;
        if ((!unparsed && record.kind != RecordKind::entry) ||
            (!unparsed && parser_->gated() && !patterns_.concerns(record.message))) {
            return;
        }
        if (!patterns_.match(record.message.substr(0, longest_matched), record, unparsed)) {
            return;
        }
        // A row that has no stamp but a known text is understood: the output of a tool, or dmesg -t.
        if (unparsed && record.message.starts_with(record.pattern->pieces.front().literal) &&
            record.parse_error == "no known row form") {
            record.kind = RecordKind::entry;
            record.parse_error = {};
        }
        if (record.pattern->remembered || compares(*record.pattern)) {
            comparison_.see(record);
        }
    }

    static bool compares(const Pattern& pattern) {
        return std::any_of(pattern.fields.begin(), pattern.fields.end(),
                           [](const PatternField& field) { return !field.compare.empty(); });
    }

    static constexpr std::size_t longest_matched = 65536;

    std::unique_ptr<Parser> parser_;
    std::string_view source_name_;
    Rows rows_;
    const PatternSet& patterns_;
    Gaps gaps_;
    Comparison comparison_;
    std::array<PlainRow, 256> plain_;
};

} // namespace

std::string_view name(Format format) {
    for (const auto& [word, value] : formats) {
        if (value == format) {
            return word;
        }
    }
    return "rows";
}

std::optional<Format> parse_format(std::string_view word) {
    for (const auto& [known, value] : formats) {
        if (known == word) {
            return value;
        }
    }
    return std::nullopt;
}

std::unique_ptr<Source> make_source(ByteStream& stream, Format format, const PatternSet& patterns) {
    return std::make_unique<RowSource>(stream, make_parser(format, patterns), patterns);
}

} // namespace barscope::fwlog
