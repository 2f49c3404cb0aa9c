// Which kind of log a file is, from its content alone.
#include <fwlog/source.h>

#include <algorithm>

#include "parser.h"
#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

bool is_kmsg_row(std::string_view row) {
    for (int i = 0; i < 3; ++i) {
        if (!take_decimal(row) || !take(row, ",")) {
            return false;
        }
    }
    return row.find(';') != std::string_view::npos;
}

// Bytes that no text has, beyond what a damaged one may hold.
bool is_binary(std::string_view bytes) {
    const auto odd = std::count_if(bytes.begin(), bytes.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\033';
    });
    return static_cast<std::size_t>(odd) > bytes.size() / 16 + 8;
}

Format of_row(std::string_view row) {
    if (row.starts_with('{') && (row.find("\"__REALTIME_TIMESTAMP\"") != std::string_view::npos ||
                                 row.find("\"MESSAGE\"") != std::string_view::npos)) {
        return Format::journal_json;
    }
    return is_kmsg_row(row)                             ? Format::kmsg
           : is_table_heading(row) || is_table_row(row) ? Format::table
                                                        : Format::rows;
}

} // namespace

Format detect_format(std::string_view beginning) {
    if (beginning.starts_with("sEgM")) {
        return Format::coredump;
    }
    if (is_binary(beginning)) {
        return Format::binary;
    }
    // The first row that is neither blank nor a comment decides; a few foreign rows may stand before it.
    std::string_view rest = beginning;
    for (int looked = 0; looked < 16 && !rest.empty(); ++looked) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view row = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        skip_blanks(row);
        if (row.empty() || row.starts_with('#')) {
            continue;
        }
        const bool dmesg_json =
            row[0] == '{' && beginning.substr(0, 512).find("\"dmesg\"") != std::string_view::npos;
        const Format format = dmesg_json ? Format::dmesg_json : of_row(row);
        if (format != Format::rows) {
            return format;
        }
    }
    return Format::rows;
}

} // namespace barscope::fwlog
