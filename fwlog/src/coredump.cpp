#include <fwlog/coredump.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "coredump_names.h"

namespace barscope::fwlog {

namespace {

constexpr std::size_t header_size = 64, record_size = 1024;
constexpr std::size_t most_segments = std::size_t{1} << 20;
constexpr std::string_view segment_mark = "sEgM", record_mark = "cOrE";

std::uint32_t word(const std::uint8_t* bytes, std::size_t at) {
    return std::uint32_t{bytes[at]} | std::uint32_t{bytes[at + 1]} << 8U |
           std::uint32_t{bytes[at + 2]} << 16U | std::uint32_t{bytes[at + 3]} << 24U;
}
std::uint16_t half(const std::uint8_t* bytes, std::size_t at) {
    return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8U);
}
// Up to the first NUL.
std::string text(const std::uint8_t* bytes, std::size_t at, std::size_t size) {
    const auto* end = std::find(bytes + at, bytes + at + size, std::uint8_t{0});
    return {bytes + at, end};
}

CollectTime collect_time(const std::uint8_t* b, std::size_t at) {
    return {half(b, at),
            half(b, at + 2),
            half(b, at + 4),
            half(b, at + 6),
            half(b, at + 8),
            half(b, at + 10),
            static_cast<std::int16_t>(half(b, at + 12))};
}

class Walker {
  public:
    explicit Walker(ByteFile& file) : file_(file), size_(file.size()) {}

    Result<CoreDump> run() {
        while (at_ < size_ && !dump_.record) {
            auto stepped = step();
            if (!stepped) {
                return fail(std::move(stepped.error()));
            }
            if (dump_.segments.size() >= most_segments) {
                dump_.problems.emplace_back("more than 1,048,576 segments; the rest is not listed");
                return std::move(dump_);
            }
        }
        if (dump_.record) {
            look_behind();
        } else {
            dump_.problems.emplace_back("the file ends without the record that closes a core dump");
        }
        if (dump_.record && dump_.record->total_segments != counted_) {
            dump_.problems.push_back("the record counts " + std::to_string(dump_.record->total_segments) +
                                     " segments, the file holds " + std::to_string(counted_));
        }
        return std::move(dump_);
    }

  private:
    Result<void> step() {
        std::array<std::uint8_t, record_size> bytes{};
        const auto got = file_.read_at(at_, {bytes.data(), header_size});
        if (!got) {
            return fail(got.error());
        }
        const std::string_view mark(reinterpret_cast<const char*>(bytes.data()),
                                    std::min<std::size_t>(*got, 4));
        if (mark == segment_mark && *got == header_size) {
            take_segment(bytes.data());
            return {};
        }
        if (mark == record_mark) {
            const auto all = file_.read_at(at_, bytes);
            if (!all) {
                return fail(all.error());
            }
            take_record(bytes.data(), *all);
            return {};
        }
        return skip_to_mark();
    }

    void take_segment(const std::uint8_t* b) {
        Segment segment;
        segment.at = at_;
        segment.component = word(b, 4);
        segment.id = word(b, 8);
        segment.flags = word(b, 12);
        segment.low_version = b[16];
        segment.high_version = b[17];
        segment.function = half(b, 18);
        segment.length = word(b, 24);
        segment.status = word(b, 28);
        segment.duration_ms = word(b, 32);
        segment.instance = word(b, 40);
        std::uint64_t data_offset = word(b, 36);
        if (data_offset < header_size || data_offset > size_ - at_) {
            dump_.problems.push_back("segment at " + std::to_string(at_) + ": data offset " +
                                     std::to_string(data_offset) + " is impossible, 64 is taken");
            data_offset = header_size;
        }
        segment.data = at_ + data_offset;
        segment.available = std::min<std::uint64_t>(segment.length, size_ - segment.data);
        segment.name = segment_name(segment.component, segment.id);
        if (segment.cut()) {
            dump_.problems.push_back("segment at " + std::to_string(at_) + ": says " +
                                     std::to_string(segment.length) + " bytes, the file holds " +
                                     std::to_string(segment.available));
        }
        at_ = segment.data + segment.available;
        ++counted_;
        dump_.segments.push_back(segment);
    }

    void take_record(const std::uint8_t* b, std::size_t got) {
        if (got < record_size) {
            dump_.problems.push_back("the closing record is cut: " + std::to_string(got) + " of 1024 bytes");
        }
        CollectRecord record;
        record.at = at_;
        record.low_version = b[8];
        record.high_version = b[9];
        record.asic_state = b[10];
        record.system_name = text(b, 16, 32);
        record.begin = collect_time(b, 48);
        record.command_line = text(b, 64, 256);
        record.total_segments = word(b, 320);
        record.os_major = word(b, 324);
        record.os_minor = word(b, 328);
        record.os_name = text(b, 336, 32);
        record.end = collect_time(b, 368);
        record.asic_id1 = word(b, 384);
        record.asic_id2 = word(b, 388);
        record.status = word(b, 392);
        at_ += got;
        dump_.record = std::move(record);
    }

    // Bytes that are neither a segment nor the record: kept as a piece of their own, up to the next mark.
    Result<void> skip_to_mark() {
        Segment piece;
        piece.at = piece.data = at_;
        piece.unrecognised = piece.zeros = true;
        std::array<std::uint8_t, 65536> bytes{};
        while (at_ < size_) {
            const auto got = file_.read_at(at_, bytes);
            if (!got) {
                return fail(got.error());
            }
            if (*got == 0) {
                break;
            }
            const std::string_view view(reinterpret_cast<const char*>(bytes.data()), *got);
            const std::size_t skip = at_ == piece.at ? 1 : 0;
            const std::size_t mark = std::min(view.find(segment_mark, skip), view.find(record_mark, skip));
            const bool found = mark != std::string_view::npos;
            // The last three bytes may begin a mark that the next piece ends.
            const std::size_t taken = found ? mark : *got == bytes.size() ? *got - 3 : *got;
            piece.zeros =
                piece.zeros && view.substr(0, taken).find_first_not_of('\0') == std::string_view::npos;
            at_ += taken;
            if (found) {
                break;
            }
        }
        piece.available = at_ - piece.at;
        dump_.problems.push_back("at " + std::to_string(piece.at) + ": " + std::to_string(piece.available) +
                                 (piece.zeros ? " zero bytes" : " bytes") + " that are no segment");
        dump_.segments.push_back(piece);
        if (piece.available == 0) { // the file became shorter
            at_ = size_;
        }
        return {};
    }

    // The file's length is estimated before the dump is taken, so zeros may follow the record.
    void look_behind() {
        dump_.trailing = size_ - std::min(size_, at_);
        std::vector<std::uint8_t> bytes(std::size_t{1} << 20);
        while (at_ < size_ && dump_.trailing_zeros) {
            const auto got = file_.read_at(at_, bytes);
            if (!got || *got == 0) {
                return;
            }
            dump_.trailing_zeros =
                bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, *got - 1) == 0;
            at_ += *got;
        }
    }

    ByteFile& file_;
    std::uint64_t size_, at_ = 0, counted_ = 0;
    CoreDump dump_;
};

} // namespace

Result<std::size_t> MemoryFile::read_at(std::uint64_t offset, std::span<std::uint8_t> out) {
    if (offset >= bytes_.size()) {
        return 0;
    }
    const auto rest = bytes_.subspan(static_cast<std::size_t>(offset));
    const std::size_t count = std::min(rest.size(), out.size());
    std::copy_n(rest.begin(), count, out.begin());
    return count;
}

bool looks_like_coredump(std::string_view beginning) {
    return beginning.starts_with(segment_mark);
}

Result<CoreDump> read_coredump(ByteFile& file) {
    return Walker(file).run();
}

Result<TraceHeader> read_trace_header(ByteFile& file, const Segment& segment) {
    std::array<std::uint8_t, 16> bytes{};
    const auto got =
        segment.available < bytes.size() ? Result<std::size_t>(0) : file.read_at(segment.data, bytes);
    if (!got) {
        return fail(got.error());
    }
    if (*got < bytes.size()) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "trace-cut",
                     .what = "the trace is shorter than the driver's record of 16 bytes",
                     .where = std::string(segment.name),
                     .remedy = {}});
    }
    return TraceHeader{word(bytes.data(), 0), word(bytes.data(), 4), word(bytes.data(), 8),
                       (bytes[12] & 1U) != 0};
}

} // namespace barscope::fwlog
