#include "resource_rows.h"

#include <fmt/format.h>

#include "text.h"

namespace barscope::safety {
namespace {

struct Row {
    std::uint64_t start = 0, end = 0, flags = 0;
};

std::optional<Row> parse_row(std::string_view line) {
    std::array<std::uint64_t, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t space = i + 1 < numbers.size() ? line.find(' ') : line.size();
        if (space == std::string_view::npos) {
            return std::nullopt;
        }
        const std::optional<std::uint64_t> value = parse_0x(line.substr(0, space));
        if (!value) {
            return std::nullopt;
        }
        numbers.at(i) = *value;
        line.remove_prefix(std::min(space + 1, line.size()));
    }
    return Row{numbers[0], numbers[1], numbers[2]};
}

// Where the kernel's own flags are silent, the BAR's low bits tell (PCI Local Bus
// Specification 3.0, 6.2.5.1): type in bits 2:1 (10b is 64-bit), prefetchable in bit 3.
Bar classify(const Row& row) {
    Bar bar;
    bar.flags = row.flags;
    const bool empty = row.start == 0 && row.end == 0;
    if (empty || (row.flags & (resource_io | resource_mem)) == 0) {
        return bar;
    }
    bar.start = row.start;
    bar.size = row.end - row.start + 1;
    if ((row.flags & resource_io) != 0) {
        bar.kind = BarKind::io;
        return bar;
    }
    const bool wide = (row.flags & resource_mem_64) != 0 || (row.flags & 0x6U) == 0x4U;
    bar.kind = wide ? BarKind::memory64 : BarKind::memory32;
    bar.prefetchable = (row.flags & (resource_prefetch | 0x8U)) != 0;
    return bar;
}

tl::unexpected<Error> malformed(const std::string& path, std::size_t line, std::string what) {
    return fail({ErrorCode::bad_input, "resource-malformed", std::move(what),
                 fmt::format("{}:{}", path, line),
                 "the kernel writes start, end and flags, such as 0x00000000f0000000 0x00000000f000ffff "
                 "0x0000000000040200; copy the file anew"});
}

} // namespace

Result<std::array<Bar, 6>> parse_resource_rows(std::string_view text, const std::string& path) {
    std::array<Bar, 6> bars{};
    std::size_t line_number = 0;
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, newline)); // copies may have CRLF
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
        ++line_number;
        const std::optional<Row> row = parse_row(line);
        if (!row) {
            return malformed(path, line_number,
                             fmt::format("'{}' is not a row of start, end and flags", line.substr(0, 60)));
        }
        const bool whole_address_space = row->start == 0 && row->end == UINT64_MAX;
        // linux/ioport.h: a resource is of one type; all ones is what a dead device or a bad copy shows.
        const bool both_types = (row->flags & resource_io) != 0 && (row->flags & resource_mem) != 0;
        if (both_types) {
            return malformed(path, line_number,
                             fmt::format("flags {:#x} are those of no resource", row->flags));
        }
        if (row->end < row->start || whole_address_space) {
            return malformed(path, line_number,
                             fmt::format("a resource from {:#x} to {:#x} has no size", row->start, row->end));
        }
        if (line_number > bars.size()) {
            continue;
        }
        Bar& bar = bars.at(line_number - 1);
        bar = classify(*row);
        const bool after_64 = line_number > 1 && bars.at(line_number - 2).kind == BarKind::memory64;
        if (after_64 && bar.kind == BarKind::absent) {
            bar.kind = BarKind::upper_half;
        }
    }
    if (line_number < bars.size()) {
        return malformed(path, line_number + 1,
                         fmt::format("{} rows where at least {} belong", line_number, bars.size()));
    }
    return bars;
}

} // namespace barscope::safety
