#include "regmaps_layout_device.h"

#include <random>

#include <fmt/format.h>

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;
using Bytes = std::vector<std::uint8_t>;
using Texts = std::vector<std::string>;

namespace {

Index structure_called(const RegisterMap& map, const std::string& name) {
    for (Index i = 0; i < map.structures.size(); ++i) {
        if (map.text(map.structures[i].name) == name) {
            return i;
        }
    }
    FAIL(name);
    return none;
}

Texts fields(const RegisterMap& map, const DecodedStructure& s) {
    Texts out;
    for (const DecodedField& f : s.fields) {
        out.push_back(f.field == none ? fmt::format("@{}[{}:{}]={:#x}", f.at, f.msb, f.lsb, f.value)
                                      : fmt::format("{}={:#x}", map.text(map.fields[f.field].name), f.value));
    }
    return out;
}

DecodedStructure decoded(const RegisterMap& map, const std::string& name, const Bytes& bytes) {
    auto result = decode_structure(map, structure_called(map, name), bytes);
    if (!result) {
        FAIL(to_string(result.error()));
    }
    return std::move(*result);
}

const std::string spaces = R"("spaces": [{"name": "m", "bar": 0, "size": 64}], "registers": [], )";

} // namespace

// NVM Express 1.4, figure 123: a completion entry has the command's identifier in bits 15:0, the phase tag in
// bit 16 and the status in bits 31:17 of dword 3; SQ head pointer and identifier in dword 2.
TEST_CASE("an NVMe completion entry") {
    const RegisterMap map = load(spaces + R"("structures": [{"name": "cqe", "size": 16, "fields": [
        {"name": "DW0", "at": 0, "bits": "31:0"}, {"name": "SQHD", "at": 8, "bits": "15:0"},
        {"name": "SQID", "at": 8, "bits": "31:16"}, {"name": "CID", "at": 12, "bits": "15:0"},
        {"name": "P", "at": 12, "bits": "16"}, {"name": "SC", "at": 12, "bits": "24:17"},
        {"name": "SCT", "at": 12, "bits": "27:25"}, {"name": "DNR", "at": 12, "bits": "31"}],
        "valid": {"field": "P", "phase": true}}])");
    const Bytes bytes{0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, 0x05, 0x00, 0x02, 0x00, 0x34, 0x12, 0x05, 0x80};
    const auto s = decoded(map, "cqe", bytes);
    CHECK(fields(map, s) == Texts{"DW0=0x12345678", "SQHD=0x5", "SQID=0x2", "CID=0x1234", "P=0x1", "SC=0x2",
                                  "SCT=0x0", "DNR=0x1"});
    CHECK(s.valid == 1U);
    CHECK(s.chain.empty());
    Bytes reserved = bytes;
    reserved[5] = 0x80;  // dword 1 has no fields
    reserved[15] = 0x90; // bit 28 of dword 3
    const auto r = fields(map, decoded(map, "cqe", reserved));
    REQUIRE(r.size() == 10);
    CHECK(r[8] == "@4[31:0]=0x8000");
    CHECK(r[9] == "@12[30:28]=0x1");
}

TEST_CASE("words of every width, in both byte orders") {
    const std::string body = R"("size": 24, "fields": [
        {"name": "A", "at": 0, "width": 8, "bits": "7:4"}, {"name": "B", "at": 2, "width": 16, "bits": "15:0"},
        {"name": "C", "at": 4, "bits": "31:8"}, {"name": "D", "at": 8, "width": 64, "bits": "63:0"},
        {"name": "E", "at": 16, "width": 64, "bits": "59:4"}]})";
    const RegisterMap map = load(spaces + R"("structures": [{"name": "le", )" + body +
                                 R"(, {"name": "be", "byteOrder": "big", )" + body + "]");
    Bytes bytes(24);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(0x10 + i);
    }
    CHECK(fields(map, decoded(map, "le", bytes)) == Texts{"A=0x1", "B=0x1312", "C=0x171615",
                                                          "D=0x1f1e1d1c1b1a1918", "E=0x72625242322212",
                                                          "@0[15:8]=0x11", "@4[7:0]=0x14", "@20[31:28]=0x2"});
    // Big endian: the first byte is the highest. Byte 1 is bits 23:16 of the first word; the low nibble of
    // byte 0 is 0.
    CHECK(fields(map, decoded(map, "be", bytes)) ==
          Texts{"A=0x1", "B=0x1213", "C=0x141516", "D=0x18191a1b1c1d1e1f", "E=0x2122232425262",
                "@0[27:16]=0x11", "@4[7:0]=0x17", "@16[31:28]=0x2", "@20[3:0]=0x7"});
}

TEST_CASE("fields of bytes") {
    const RegisterMap map = load(spaces + R"("structures": [{"name": "s", "size": 12, "fields": [
        {"name": "ID", "at": 0, "bits": "31:0"}, {"name": "MAC", "at": 4, "bytes": 6}]}])");
    const Bytes bytes{1, 0, 0, 0, 0xde, 0xad, 0xbe, 0xef, 0x00, 0x01, 0x00, 0x80};
    const auto s = decoded(map, "s", bytes);
    CHECK(fields(map, s) == Texts{"ID=0x1", "MAC=0x4", "@8[31:16]=0x8000"});
    CHECK(field_text(map, map.fields[s.fields[1].field], std::span<const std::uint8_t>(bytes)) ==
          "de ad be ef 00 01");
}

TEST_CASE("variants are chosen from a field, one after the other") {
    const RegisterMap map = load(spaces + R"("structures": [
        {"name": "cqe", "size": 8, "fields": [{"name": "TYPE", "at": 4, "bits": "3:0"}, {"name": "TOGGLE", "at": 4, "bits": "31"}],
         "variant": {"on": "TYPE", "cases": {"0": "req", "1": "res"}}, "valid": {"field": "TOGGLE", "phase": true}},
        {"name": "req", "size": 8, "fields": [{"name": "CONS", "at": 0, "bits": "15:0"}, {"name": "KIND", "at": 4, "bits": "3:0"}]},
        {"name": "res", "size": 8, "fields": [{"name": "SUB", "at": 0, "bits": "7:0"}],
         "variant": {"on": "SUB", "cases": {"7": "deep"}}},
        {"name": "deep", "size": 8, "fields": [{"name": "X", "at": 0, "bits": "31:8"}]}])");
    const auto req = decoded(map, "cqe", {0x34, 0x12, 0, 0, 0x00, 0, 0, 0x80});
    CHECK(req.structure == structure_called(map, "req"));
    CHECK(req.chain == std::vector<Index>{structure_called(map, "cqe")});
    CHECK(fields(map, req) ==
          Texts{"CONS=0x1234", "KIND=0x0", "TOGGLE=0x1"}); // TYPE's bits have a name already
    CHECK(req.valid == 1U);
    const auto deep = decoded(map, "cqe", {7, 1, 0, 0, 1, 0, 0, 0});
    CHECK(deep.structure == structure_called(map, "deep"));
    CHECK(deep.chain.size() == 2);
    CHECK(fields(map, deep) == Texts{"X=0x1", "SUB=0x7", "TYPE=0x1", "TOGGLE=0x0"});
    CHECK(deep.valid == 0U);
    const auto res = decoded(map, "cqe", {8, 0, 0, 0, 1, 0, 0, 0});
    CHECK(res.structure == structure_called(map, "res")); // as far as the types are known
    CHECK(res.variant_unknown);
    const auto odd = decoded(map, "cqe", {8, 0, 0, 0, 9, 0, 0, 0});
    CHECK(odd.structure == structure_called(map, "cqe"));
    CHECK(odd.variant_unknown);
    CHECK(fields(map, odd) == Texts{"TYPE=0x9", "TOGGLE=0x0", "@0[31:0]=0x8"});
}

TEST_CASE("a variant that is shorter leaves the rest to be shown as it is") {
    const RegisterMap map = load(spaces + R"("structures": [
        {"name": "wqe", "size": 12, "fields": [{"name": "TYPE", "bits": "7:0"}],
         "variant": {"on": "TYPE", "cases": {"1": "short"}}},
        {"name": "short", "size": 4, "fields": [{"name": "LEN", "bits": "31:8"}]}])");
    const auto s = decoded(map, "wqe", {1, 0x22, 0x33, 0x44, 0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12});
    CHECK(s.structure == structure_called(map, "short"));
    CHECK(fields(map, s) == Texts{"LEN=0x443322", "TYPE=0x1", "@8[31:0]=0x12345678"});
}

TEST_CASE("fields of structures may have conditions on their own fields") {
    const RegisterMap map = load(spaces + R"("structures": [{"name": "s", "size": 4, "fields": [
        {"name": "T", "bits": "31:24"}, {"name": "A", "bits": "7:0", "when": "T == 1"}, {"name": "B", "bits": "7:0", "when": "T == 2"}]}])");
    CHECK(fields(map, decoded(map, "s", {9, 0, 0, 1})) == Texts{"T=0x1", "A=0x9"});
    CHECK(fields(map, decoded(map, "s", {9, 0, 0, 2})) == Texts{"T=0x2", "B=0x9"});
    CHECK(fields(map, decoded(map, "s", {9, 0, 0, 3})) == Texts{"T=0x3", "@0[23:0]=0x9"});
}

TEST_CASE("a record of another size is refused") {
    const RegisterMap map = load(spaces + R"("structures": [{"name": "s", "size": 6, "fields": [
        {"name": "A", "bits": "31:0"}]}])");
    for (const std::size_t size : {0U, 5U, 7U}) {
        const auto result = decode_structure(map, 0, Bytes(size));
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::bad_input);
        CHECK(result.error().cause == "structure-size");
    }
    // A tail shorter than a word is looked at as well.
    CHECK(fields(map, decoded(map, "s", {1, 0, 0, 0, 0x34, 0x12})) == Texts{"A=0x1", "@4[15:0]=0x1234"});
}

TEST_CASE("no bit of a record is lost, whatever the fields are") {
    std::mt19937_64 random(5);
    for (int round = 0; round < 100; ++round) {
        const bool big = random() % 2 != 0;
        std::string list;
        int n = 0;
        for (unsigned at = 0; at < 32;) {
            constexpr unsigned widths[] = {8, 16, 32, 64};
            const unsigned width = widths[random() % 4];
            if (at % (width / 8) != 0) {
                continue;
            }
            for (unsigned lsb = 0; lsb < width;) {
                const unsigned msb =
                    std::min<unsigned>(width - 1, lsb + static_cast<unsigned>(random() % 24));
                if (random() % 3 != 0) {
                    list += fmt::format(R"({}{{"name": "F{}", "at": {}, "width": {}, "bits": "{}:{}"}})",
                                        list.empty() ? "" : ",", n++, at, width, msb, lsb);
                }
                lsb = msb + 1;
            }
            at += width / 8;
        }
        const RegisterMap map =
            load(spaces + fmt::format(R"("structures": [{{"name": "s", "size": 32, "byteOrder": "{}",
            "fields": [{}]}}])",
                                      big ? "big" : "little", list));
        Bytes bytes(32);
        for (auto& b : bytes) {
            b = static_cast<std::uint8_t>(random());
        }
        // Put every field back into its bytes, one bit after the other.
        Bytes back(32);
        for (const DecodedField& f : decoded(map, "s", bytes).fields) {
            const unsigned width = f.field == none ? 32U : map.fields[f.field].width;
            for (unsigned bit = f.lsb; bit <= f.msb; ++bit) {
                const unsigned byte = big ? width / 8 - 1 - bit / 8 : bit / 8;
                const auto one = static_cast<unsigned>((f.value >> (bit - f.lsb)) & 1);
                back[f.at + byte] = static_cast<std::uint8_t>(back[f.at + byte] | (one << (bit % 8)));
            }
        }
        REQUIRE(back == bytes);
    }
}
