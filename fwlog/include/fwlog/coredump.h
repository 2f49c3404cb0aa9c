// bnxt core dumps, as `ethtool -w DEV data FILE` writes them: segments one behind the other, then the record
// of who collected them. Layout: Linux 6.12.117 drivers/net/ethernet/broadcom/bnxt/bnxt_coredump.h; the
// driver's trace segments: mainline (torvalds/linux 6d4a0f4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::fwlog {

// A file that can be read anywhere.
class ByteFile {
  public:
    virtual ~ByteFile() = default;
    virtual std::uint64_t size() const = 0;
    // How many bytes it gave: fewer than asked for at the end of the file.
    virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) = 0;
};

class MemoryFile final : public ByteFile {
  public:
    explicit MemoryFile(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override;

  private:
    std::span<const std::uint8_t> bytes_;
};

struct Segment {
    std::uint64_t at = 0;   // of the header in the file
    std::uint64_t data = 0; // of the data in the file
    std::uint32_t component = 0, id = 0, flags = 0, length = 0, status = 0, duration_ms = 0, instance = 0;
    std::uint8_t low_version = 0, high_version = 0;
    std::uint16_t function = 0;  // PCI devfn
    std::uint64_t available = 0; // bytes of the data that the file holds
    std::string_view name;       // of a driver trace or context ("SRT", "QP context"); empty: not known
    bool unrecognised = false;   // bytes between segments that are none; available says how many
    bool zeros = false;          // unrecognised: all of them 0

    bool compressed() const { return (flags & 1U) != 0; }
    bool cut() const { return available < length; }
};

// The driver's own record at the start of a trace segment.
struct TraceHeader {
    std::uint32_t max_entries = 0, entry_size = 0, offset = 0;
    bool wrapped = false;
};
inline constexpr std::uint32_t driver_component = 0xd;
bool is_trace(const Segment& segment);

struct CollectTime {
    unsigned year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    int utc_bias = 0; // as stored
};
struct CollectRecord {
    std::uint64_t at = 0;
    std::uint8_t low_version = 0, high_version = 0, asic_state = 0;
    std::string system_name, command_line, os_name; // of the machine that collected: private to it
    CollectTime begin, end;
    std::uint32_t total_segments = 0, os_major = 0, os_minor = 0, asic_id1 = 0, asic_id2 = 0, status = 0;
};

struct CoreDump {
    std::vector<Segment> segments;
    std::optional<CollectRecord> record;
    std::uint64_t trailing = 0; // bytes behind the record
    bool trailing_zeros = true;
    std::vector<std::string> problems; // what is wrong with the file, in its order
};

bool looks_like_coredump(std::string_view beginning);
// Reads headers only, however large the segments are; an error where the file cannot be read at all.
Result<CoreDump> read_coredump(ByteFile& file);

// Where a segment's bytes go, piece by piece. False: stop.
using ByteSink = std::function<bool(std::span<const std::uint8_t>)>;
struct Extracted {
    std::uint64_t bytes = 0;
    bool inflated = false;  // was compressed, and is not any more
    bool unwrapped = false; // a trace, oldest bytes first, without the driver's record
    std::string problem;    // empty: whole
};
// The segment's data: traces unwrapped, compressed ones inflated to at most `limit` bytes. Where inflating
// fails the problem says so, and `bytes` how far it came.
Result<Extracted> extract_segment(ByteFile& file, const Segment& segment, std::uint64_t limit,
                                  const ByteSink& sink);
Result<TraceHeader> read_trace_header(ByteFile& file, const Segment& segment);

} // namespace barscope::fwlog
