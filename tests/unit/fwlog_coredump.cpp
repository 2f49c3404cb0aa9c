// Core dumps, put together here byte by byte after Linux's bnxt_coredump.h (offsets: 64-byte segment header,
// 1024-byte record, 16-byte driver record of a trace).
#include <catch2/catch.hpp>

#include <cstring>

#include <zlib.h>

#include <fwlog/coredump.h>

using namespace barscope;
using namespace barscope::fwlog;

namespace {

using Bytes = std::vector<std::uint8_t>;

void put32(Bytes& bytes, std::size_t at, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) {
        bytes.at(at + i) = static_cast<std::uint8_t>(value >> 8 * i);
    }
}
void put16(Bytes& bytes, std::size_t at, unsigned value) {
    bytes.at(at) = static_cast<std::uint8_t>(value);
    bytes.at(at + 1) = static_cast<std::uint8_t>(value >> 8);
}

struct Made {
    std::uint32_t component = 2, id = 0, flags = 0, status = 0, duration = 0;
    Bytes data;
    std::optional<std::uint32_t> says = std::nullopt; // another length than the data's
};

Bytes segment(const Made& made) {
    Bytes bytes(64);
    std::memcpy(bytes.data(), "sEgM", 4);
    put32(bytes, 4, made.component);
    put32(bytes, 8, made.id);
    put32(bytes, 12, made.flags);
    bytes[16] = 1; // low version
    bytes[17] = 3; // high version
    put16(bytes, 18, 0x0102);
    put32(bytes, 24, made.says.value_or(static_cast<std::uint32_t>(made.data.size())));
    put32(bytes, 28, made.status);
    put32(bytes, 32, made.duration);
    put32(bytes, 36, 64);
    bytes.insert(bytes.end(), made.data.begin(), made.data.end());
    return bytes;
}

Bytes record(std::uint32_t segments) {
    Bytes bytes(1024);
    std::memcpy(bytes.data(), "cOrE", 4);
    bytes[9] = 1;
    std::memcpy(bytes.data() + 16, "host-a", 6);
    put16(bytes, 48, 2024);
    put16(bytes, 50, 12);
    put16(bytes, 52, 3);
    put16(bytes, 54, 13);
    put16(bytes, 56, 4);
    put16(bytes, 58, 29);
    std::memcpy(bytes.data() + 64, "ethtool -w", 10);
    put32(bytes, 320, segments);
    put32(bytes, 324, 6);
    put32(bytes, 328, 12);
    std::memcpy(bytes.data() + 336, "Linux", 5);
    put32(bytes, 384, 0x17500102);
    return bytes;
}

Bytes join(std::initializer_list<Bytes> parts) {
    Bytes all;
    for (const Bytes& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

Bytes trace(std::uint32_t offset, bool wrapped, const std::string& content) {
    Bytes bytes(16);
    put32(bytes, 8, offset);
    bytes[12] = wrapped ? 1 : 0;
    bytes.insert(bytes.end(), content.begin(), content.end());
    return bytes;
}

CoreDump dump_of(const Bytes& bytes) {
    MemoryFile file(bytes);
    auto dump = read_coredump(file);
    REQUIRE(dump);
    return std::move(*dump);
}

std::string extracted(const Bytes& bytes, const Segment& segment, Extracted& out,
                      std::uint64_t limit = 1 << 20) {
    MemoryFile file(bytes);
    std::string content;
    const auto done = extract_segment(file, segment, limit, [&](std::span<const std::uint8_t> piece) {
        content.append(piece.begin(), piece.end());
        return true;
    });
    REQUIRE(done);
    out = *done;
    return content;
}

Bytes deflated(const Bytes& bytes) {
    Bytes out(::compressBound(bytes.size()));
    uLongf size = out.size();
    REQUIRE(::compress(out.data(), &size, bytes.data(), bytes.size()) == Z_OK);
    out.resize(size);
    return out;
}

} // namespace

TEST_CASE("a core dump: segments, record, zeros behind it") {
    const Bytes bytes =
        join({segment({.component = 2, .id = 0, .data = Bytes(176, 7)}),
              segment({.component = 5, .id = 0x11, .status = 0xffffff92, .duration = 1500, .data = {}}),
              record(2), Bytes(5000)});
    const CoreDump dump = dump_of(bytes);
    REQUIRE(dump.segments.size() == 2);
    CHECK(dump.segments[0].name == "HWRM_VER_GET response");
    CHECK(dump.segments[0].length == 176);
    CHECK(dump.segments[0].high_version == 3);
    CHECK(dump.segments[0].low_version == 1);
    CHECK(dump.segments[0].function == 0x0102);
    CHECK(dump.segments[1].at == 64 + 176);
    CHECK(dump.segments[1].status == 0xffffff92); // -110: this segment failed
    CHECK(dump.segments[1].duration_ms == 1500);
    REQUIRE(dump.record);
    CHECK(dump.record->system_name == "host-a");
    CHECK(dump.record->command_line == "ethtool -w");
    CHECK(dump.record->begin.year == 2024);
    CHECK(dump.record->begin.second == 29);
    CHECK(dump.record->os_major == 6);
    CHECK(dump.record->asic_id1 == 0x17500102);
    CHECK(dump.trailing == 5000);
    CHECK(dump.trailing_zeros);
    CHECK(dump.problems.empty());
}

TEST_CASE("traces come oldest byte first") {
    const Bytes bytes =
        join({segment({.component = 0xd, .id = 1, .data = trace(3, true, "DEFABC")}),
              segment({.component = 0xd, .id = 3, .data = trace(3, false, "ABCxxx")}),
              segment({.component = 0xd, .id = 0xd, .data = trace(99, true, "ABC")}), record(3)});
    const CoreDump dump = dump_of(bytes);
    REQUIRE(dump.segments.size() == 3);
    CHECK(dump.segments[0].name == "SRT trace");
    CHECK(dump.segments[1].name == "CRT trace");
    CHECK(dump.segments[2].name == "AFM Kong HWRM trace");
    Extracted out;
    CHECK(extracted(bytes, dump.segments[0], out) == "ABCDEF");
    CHECK(out.unwrapped);
    CHECK(extracted(bytes, dump.segments[1], out) == "ABC");
    CHECK(extracted(bytes, dump.segments[2], out) == "ABC"); // a lying position: kept as it is
    CHECK_FALSE(out.problem.empty());
}

TEST_CASE("compressed segments: inflated, bounded, and damage is told") {
    const Bytes plain(300'000, 'a');
    const Bytes packed = deflated(plain);
    Bytes broken = packed;
    broken.at(packed.size() / 2) ^= 0xff;
    const Bytes half(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(packed.size() / 2));
    const Bytes bytes = join({segment({.component = 5, .id = 1, .flags = 1, .data = packed}),
                              segment({.component = 5, .id = 2, .flags = 1, .data = broken}),
                              segment({.component = 5, .id = 3, .flags = 1, .data = half}), record(3)});
    const CoreDump dump = dump_of(bytes);
    Extracted out;
    CHECK(extracted(bytes, dump.segments[0], out).size() == plain.size());
    CHECK(out.inflated);
    CHECK(out.problem.empty());
    CHECK(extracted(bytes, dump.segments[0], out, 100'000).size() == 100'000); // a bomb stops here
    CHECK(out.problem.find("100000") != std::string::npos);
    static_cast<void>(extracted(bytes, dump.segments[1], out));
    CHECK_FALSE(out.problem.empty());
    static_cast<void>(extracted(bytes, dump.segments[2], out));
    CHECK_FALSE(out.problem.empty());
}

TEST_CASE("lying and cut core dumps keep every byte") {
    const Bytes good = segment({.component = 2, .id = 0, .data = Bytes(176, 7)});
    SECTION("a length beyond the file") {
        const CoreDump dump = dump_of(
            join({good, segment({.component = 5, .id = 1, .data = Bytes(10, 1), .says = 4'000'000'000U})}));
        REQUIRE(dump.segments.size() == 2);
        CHECK(dump.segments[1].available == 10);
        CHECK(dump.segments[1].cut());
        CHECK(dump.problems.size() == 2); // that, and no record
    }
    SECTION("junk between segments") {
        const Bytes junk(100'000, 0x5a);
        const CoreDump dump = dump_of(join({good, junk, good, record(2)}));
        REQUIRE(dump.segments.size() == 3);
        CHECK(dump.segments[1].unrecognised);
        CHECK(dump.segments[1].available == junk.size());
        CHECK_FALSE(dump.segments[1].zeros);
        CHECK(dump.record);
        CHECK(dump.problems.size() == 1);
    }
    SECTION("every place to cut it") {
        const Bytes whole =
            join({good, segment({.component = 0xd, .id = 1, .data = trace(3, true, "DEFABC")}), record(2)});
        for (std::size_t size = 4; size < whole.size(); ++size) {
            const CoreDump dump =
                dump_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
            std::uint64_t covered = dump.record ? size - dump.record->at : 0;
            for (const Segment& piece : dump.segments) {
                covered += piece.unrecognised ? piece.available : piece.data - piece.at + piece.available;
            }
            CHECK(covered == size);
            CHECK_FALSE(dump.problems.empty());
        }
    }
    SECTION("more segments than the record counts") {
        CHECK(dump_of(join({good, good, record(3)})).problems.size() == 1);
    }
}
