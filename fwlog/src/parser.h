// How the rows of one format become records. A row always gives one record.
#pragma once

#include <memory>

#include <fwlog/source.h>

#include "plain_scanner.h"

namespace barscope::fwlog {

class Parser {
  public:
    virtual ~Parser() = default;
    // Fills a cleared record from the row; raw and line are set already.
    virtual void parse(std::string_view row, Record& out) = 0;
    // The plain rows that the bytes begin with; none: there is no short way for what comes.
    virtual PlainFound take_plain(std::string_view /*bytes*/, std::span<PlainRow> /*out*/) { return {}; }
    virtual Framing framing() const { return Framing::lines; }
    virtual std::string_view source_name() const = 0;
    // Rows of another machine's programs may quote drivers: only those that begin with one are looked at.
    virtual bool wants_patterns() const { return true; }
    virtual bool gated() const { return true; }
};

std::unique_ptr<Parser> make_rows_parser(const PatternSet& patterns);
std::unique_ptr<Parser> make_kmsg_parser();
std::unique_ptr<Parser> make_dmesg_json_parser();
std::unique_ptr<Parser> make_journal_json_parser();
std::unique_ptr<Parser> make_text_parser();
std::unique_ptr<Parser> make_table_parser(const PatternSet& patterns);

inline void not_parsed(Record& out, std::string_view why) {
    out.kind = RecordKind::unparsed;
    out.parse_error = why;
}

// Whether a line's words are the table's headings, or its first columns look like the table's.
bool is_table_heading(std::string_view row);
bool is_table_row(std::string_view row);

} // namespace barscope::fwlog
