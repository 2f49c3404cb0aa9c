// A segment's bytes in the order in which they were made, and as they were before they were compressed.
#include <fwlog/coredump.h>

#include <algorithm>
#include <memory>

#include <zlib.h>

namespace barscope::fwlog {

namespace {

constexpr std::size_t piece = 65536;

// Bytes [begin, end) of the file, in pieces.
class Pieces {
  public:
    Pieces(ByteFile& file, std::uint64_t begin, std::uint64_t end) : file_(file), at_(begin), end_(end) {}
    // Empty at the end, and where the file has become shorter.
    Result<std::span<const std::uint8_t>> next() {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece, end_ - at_));
        const auto got = file_.read_at(at_, {buffer_.data(), wanted});
        if (!got) {
            return fail(got.error());
        }
        at_ += *got;
        return std::span<const std::uint8_t>(buffer_.data(), *got);
    }
    bool ended() const { return at_ >= end_; }

  private:
    ByteFile& file_;
    std::uint64_t at_, end_;
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(piece);
};

Result<void> copy(ByteFile& file, std::uint64_t begin, std::uint64_t end, const ByteSink& sink,
                  Extracted& out) {
    Pieces pieces(file, begin, end);
    while (!pieces.ended()) {
        const auto bytes = pieces.next();
        if (!bytes) {
            return fail(bytes.error());
        }
        if (bytes->empty()) {
            out.problem = "the file became shorter while it was read";
            return {};
        }
        out.bytes += bytes->size();
        if (!sink(*bytes)) {
            out.problem = "stopped";
            return {};
        }
    }
    return {};
}

struct Inflater {
    z_stream stream{};
    bool ready = false;
    Inflater() { ready = ::inflateInit2(&stream, 15 + 32) == Z_OK; } // zlib's or gzip's header
    ~Inflater() {
        if (ready) {
            ::inflateEnd(&stream);
        }
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
};

class Inflation {
  public:
    Inflation(std::uint64_t limit, const ByteSink& sink, Extracted& out)
        : limit_(limit), sink_(sink), out_(out) {}

    // False when there is nothing more to do.
    bool feed(std::span<const std::uint8_t> bytes) {
        inflater_.stream.next_in = const_cast<Bytef*>(bytes.data()); // zlib does not write there
        inflater_.stream.avail_in = static_cast<uInt>(bytes.size());
        while (inflater_.stream.avail_in != 0) {
            if (!step()) {
                return false;
            }
        }
        return true;
    }
    bool ready() const { return inflater_.ready; }
    bool ended() const { return ended_; }

  private:
    bool step() {
        inflater_.stream.next_out = buffer_.data();
        inflater_.stream.avail_out = static_cast<uInt>(buffer_.size());
        const int status = ::inflate(&inflater_.stream, Z_NO_FLUSH);
        std::size_t made = buffer_.size() - inflater_.stream.avail_out;
        const bool over = made > limit_ - out_.bytes;
        made = over ? static_cast<std::size_t>(limit_ - out_.bytes) : made;
        out_.bytes += made;
        if (made != 0 && !sink_({buffer_.data(), made})) {
            out_.problem = "stopped";
            return false;
        }
        if (over) {
            out_.problem =
                "more than " + std::to_string(limit_) + " bytes when inflated; the rest is left out";
            return false;
        }
        ended_ = status == Z_STREAM_END;
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            out_.problem = "the compressed data is damaged";
            return false;
        }
        return !ended_ && (status != Z_BUF_ERROR || made != 0);
    }

    std::uint64_t limit_;
    const ByteSink& sink_;
    Extracted& out_;
    Inflater inflater_;
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(piece);
    bool ended_ = false;
};

Result<void> inflate_segment(ByteFile& file, const Segment& segment, std::uint64_t limit,
                             const ByteSink& sink, Extracted& out) {
    Inflation inflation(limit, sink, out);
    if (!inflation.ready()) {
        out.problem = "zlib could not be set up";
        return {};
    }
    Pieces pieces(file, segment.data, segment.data + segment.available);
    bool more = true;
    while (more && !pieces.ended()) {
        const auto bytes = pieces.next();
        if (!bytes) {
            return fail(bytes.error());
        }
        more = !bytes->empty() && inflation.feed(*bytes);
    }
    out.inflated = true;
    if (!inflation.ended() && out.problem.empty()) {
        out.problem = "the compressed data ends in its middle";
    }
    return {};
}

// Oldest first: where the buffer has wrapped, the oldest bytes stand at the position of the next write.
Result<void> unwrap(ByteFile& file, const Segment& segment, const ByteSink& sink, Extracted& out) {
    const auto header = read_trace_header(file, segment);
    if (!header) {
        return fail(header.error());
    }
    const std::uint64_t begin = segment.data + 16;
    const std::uint64_t end = segment.data + segment.available;
    const std::uint64_t whole = std::uint64_t{segment.length} - 16;
    if (header->offset > whole) {
        out.problem = "the write position lies behind the trace; its bytes are kept as they are";
        return copy(file, begin, end, sink, out);
    }
    const std::uint64_t middle = std::min(begin + header->offset, end);
    out.unwrapped = true;
    if (header->wrapped) {
        auto first = copy(file, middle, end, sink, out);
        if (!first || !out.problem.empty()) {
            return first;
        }
    }
    return copy(file, begin, middle, sink, out);
}

} // namespace

Result<Extracted> extract_segment(ByteFile& file, const Segment& segment, std::uint64_t limit,
                                  const ByteSink& sink) {
    Extracted out;
    Result<void> done;
    if (!segment.unrecognised && segment.compressed()) {
        done = inflate_segment(file, segment, limit, sink, out);
    } else if (is_trace(segment) && segment.available >= 16) {
        done = unwrap(file, segment, sink, out);
    } else {
        done = copy(file, segment.data, segment.data + segment.available, sink, out);
    }
    if (!done) {
        return fail(std::move(done.error()));
    }
    if (segment.cut() && out.problem.empty()) {
        out.problem = "the file holds " + std::to_string(segment.available) + " of " +
                      std::to_string(segment.length) + " bytes";
    }
    return out;
}

} // namespace barscope::fwlog
