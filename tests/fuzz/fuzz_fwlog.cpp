// Any bytes as a log: no row is lost, none is invented, and a core dump's pieces lie within the file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fwlog/coredump.h>
#include <fwlog/field_text.h>
#include <fwlog/plain_rows.h>
#include <fwlog/source.h>
#include <fwlog/summary.h>

namespace {

using namespace barscope;
using namespace barscope::fwlog;

const PatternSet& patterns() {
    static const PatternSet set = [] {
        auto loaded = PatternSet::built_in();
        if (!loaded) {
            std::abort();
        }
        return std::move(*loaded);
    }();
    return set;
}

void demand(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void read_rows(std::string_view text, Format format) {
    MemoryStream stream(text);
    const auto source = make_source(stream, format, patterns());
    Summarizer summarizer;
    FieldText field_text(nullptr);
    Record record;
    std::size_t bytes = 0;
    std::uint64_t rows = 0;
    while (*source->next(record)) {
        summarizer.see(record);
        for (const FieldValue& value : record.fields) {
            demand(!field_text.value(value).empty() || value.text.empty());
        }
        bytes += record.raw.size();
        rows += record.kind == RecordKind::gap ? 0 : 1;
    }
    const auto breaks = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (format != Format::dmesg_json) {
        demand(bytes + breaks >= text.size()); // every byte is in some row
    }
    demand(bytes <= text.size());
    demand(summarizer.finish().rows == rows);
}

// The short way for plain rows gives the same rows.
void read_plain(std::string_view text) {
    MemoryStream stream(text);
    MemoryStream again(text);
    const auto one = make_source(stream, Format::rows, patterns());
    const auto other = make_source(again, Format::rows, patterns());
    Record record;
    Record expected;
    while (true) {
        const PlainRows rows = one->plain();
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
            demand(*other->next(expected));
            fill(record, rows, i);
            demand(record.raw == expected.raw && record.line == expected.line &&
                   record.message == expected.message && record.time_ns == expected.time_ns &&
                   record.severity == expected.severity && record.kind == expected.kind &&
                   expected.pattern == nullptr && !expected.new_boot);
        }
        if (rows.rows.empty()) {
            const bool more = *one->next(record);
            demand(*other->next(expected) == more);
            if (!more) {
                return;
            }
            demand(record.raw == expected.raw && record.line == expected.line);
        }
    }
}

void read_dump(const std::uint8_t* data, std::size_t size) {
    MemoryFile file({data, size});
    const auto dump = read_coredump(file);
    demand(dump.has_value());
    for (const Segment& segment : dump->segments) {
        demand(segment.data <= size && segment.available <= size - segment.data);
        std::uint64_t written = 0;
        const auto done = extract_segment(file, segment, 1 << 20, [&](std::span<const std::uint8_t> piece) {
            written += piece.size();
            return true;
        });
        demand(done && written == done->bytes && written <= std::max<std::uint64_t>(1 << 20, size));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Format format = detect_format(text);
    if (format == Format::coredump) {
        read_dump(data, size);
        return 0;
    }
    read_rows(text, format == Format::binary ? Format::rows : format);
    read_rows(text, Format::rows);
    read_rows(text, Format::table);
    read_rows(text, Format::text);
    read_plain(text);
    return 0;
}
