#include "regmaps_layout_device.h"

#include <clocale>
#include <locale>

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

// The text of a value of one field, 32 bits wide where the test does not say otherwise.
std::string text(const std::string& field, std::uint64_t value, unsigned width = 32) {
    const RegisterMap map = load(
        R"("spaces": [{"name": "m", "bar": 0, "size": 64, "accessWidth": [8, 16, 32, 64]}], "registers": [
        {"name": "R", "offset": 0, "readAction": "none", "width": )" +
        std::to_string(width) + R"(, "fields": [{"name": "F", )" + field + "}]}]");
    return field_text(map, map.fields[map.registers[0].fields.begin], value);
}

} // namespace

TEST_CASE("hex has the digits of the field's own width") {
    CHECK(text(R"("bits": "31:0")", 0x2a) == "0x0000002a");
    CHECK(text(R"("bits": "9:0")", 0x3ff) == "0x3ff");
    CHECK(text(R"("bits": "0")", 1) == "0x1");
    CHECK(text(R"("bits": "4:0")", 1) == "0x01");
    CHECK(text(R"("bits": "63:0")", 0xfedcba9876543211, 64) == "0xfedcba9876543211");
    CHECK(text(R"("bits": "9:0", "unit": "us")", 5) == "0x005 us");
}

TEST_CASE("decimal, yes and no, signed") {
    CHECK(text(R"("bits": "31:0", "display": "dec")", 4294967295) == "4294967295");
    CHECK(text(R"("bits": "15:0", "display": "dec", "unit": "entries")", 512) == "512 entries");
    CHECK(text(R"("bits": "63:0", "display": "dec")", 0xffffffffffffffff, 64) == "18446744073709551615");
    CHECK(text(R"("bits": "3", "display": "bool")", 1) == "yes");
    CHECK(text(R"("bits": "3", "display": "bool")", 0) == "no");
    CHECK(text(R"("bits": "31:0", "display": "signed")", 0xfffffff0) ==
          "-16"); // EBUSY, as bnxt_en prints it in hex
    CHECK(text(R"("bits": "31:0", "display": "signed")", 0xffffff92) == "-110");
    CHECK(text(R"("bits": "7:0", "display": "signed")", 0x80) == "-128");
    CHECK(text(R"("bits": "7:0", "display": "signed")", 0x7f) == "127");
    CHECK(text(R"("bits": "63:0", "display": "signed")", 0x8000000000000000, 64) == "-9223372036854775808");
    CHECK(text(R"("bits": "0", "display": "signed")", 1) == "-1");
}

TEST_CASE("an address is shown in its place") {
    // NVMe ASQ: bits 63:12 of the register are bits 63:12 of the address.
    CHECK(text(R"("bits": "63:12", "display": "address")", 0xabcde, 64) == "0x00000000abcde000");
    CHECK(text(R"("bits": "31:4", "display": "address")", 0xfffffff) == "0xfffffff0");
}

TEST_CASE("bytes are in the order in which they lie in the device") {
    CHECK(text(R"("bits": "31:0", "display": "bytes")", 0x04030201) == "01 02 03 04");
    CHECK(text(R"("bits": "23:8", "display": "bytes")", 0x0201) == "01 02");
    const RegisterMap map =
        load(R"("spaces": [{"name": "m", "bar": 0, "size": 64, "byteOrder": "big"}], "registers": [
        {"name": "R", "offset": 0, "readAction": "none", "display": "bytes",
         "fields": [{"name": "F", "bits": "31:0", "display": "bytes"}]}])");
    CHECK(field_text(map, map.fields[map.registers[0].fields.begin], 0x01020304) == "01 02 03 04");
    CHECK(register_text(map, map.registers[0], 0x01020304) == "01 02 03 04");
}

TEST_CASE("scaled values") {
    CHECK(text(R"("bits": "15:0", "display": "scaled", "scale": 0.5, "unit": "W")", 25) == "12.5 W");
    CHECK(text(R"("bits": "7:0", "display": "scaled", "scale": 500, "unit": "ms")", 15) == "7500 ms");
    CHECK(text(R"("bits": "7:0", "display": "scaled", "scale": 0.1, "unit": "V")", 3) == "0.3 V");
    CHECK(text(R"("bits": "15:0", "display": "scaled", "offset": 1, "unit": "entries")", 65535) ==
          "65536 entries");
    CHECK(text(R"("bits": "15:0", "display": "scaled", "offset": -273.15, "unit": "C")", 300) == "26.85 C");
}

TEST_CASE("numbers look the same in every locale") {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
    CHECK(text(R"("bits": "15:0", "display": "scaled", "scale": 0.5)", 2501) == "1250.5");
    CHECK(text(R"("bits": "31:0", "display": "dec")", 4294967295) == "4294967295");
    std::locale::global(before);
}

TEST_CASE("registers as a whole and derived values have texts, too") {
    const RegisterMap map =
        load(R"("spaces": [{"name": "m", "bar": 0, "size": 64, "accessWidth": [16, 32]}], "registers": [
        {"name": "H", "offset": 0, "readAction": "none"},
        {"name": "W", "offset": 4, "width": 16, "readAction": "none"},
        {"name": "D", "offset": 8, "readAction": "none", "display": "dec", "unit": "packets"}],
        "derived": [{"name": "n", "value": "H", "unit": "entries"}, {"name": "x", "value": "H", "display": "hex"},
                    {"name": "s", "value": "H", "display": "scaled", "scale": 0.25, "unit": "GB/s"},
                    {"name": "m", "value": "0 - H", "display": "signed"},
                    {"name": "w", "value": "H", "display": "hex", "width": 64},
                    {"name": "i", "value": "H", "display": "signed", "width": 16},
                    {"name": "b", "value": "H", "display": "bytes", "width": 32}])");
    CHECK(register_text(map, map.registers[0], 0x520) == "0x00000520");
    CHECK(register_text(map, map.registers[1], 0x520) == "0x0520");
    CHECK(register_text(map, map.registers[2], 7) == "7 packets");
    CHECK(derived_text(map, map.derived[0], 12) == "12 entries");
    CHECK(derived_text(map, map.derived[1], 0x1f0) == "0x1f0");
    CHECK(derived_text(map, map.derived[1], 0) == "0x0");
    CHECK(derived_text(map, map.derived[2], 126) == "31.5 GB/s");
    CHECK(derived_text(map, map.derived[3], 0xfffffffffffffffe) == "-2");
    CHECK(derived_text(map, map.derived[4], 0x1fffe000002) == "0x000001fffe000002");
    CHECK(derived_text(map, map.derived[4], 0) == "0x0000000000000000");
    CHECK(derived_text(map, map.derived[5], 0xfffe) == "-2");
    CHECK(derived_text(map, map.derived[6], 0x01020304) == "04 03 02 01");
}
