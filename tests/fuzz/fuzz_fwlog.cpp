// Any bytes as a log: no row is lost, none is invented, and a core dump's pieces lie within the file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fwlog/coredump.h>
#include <fwlog/field_text.h>
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
    return 0;
}
