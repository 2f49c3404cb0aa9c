#include "regmaps_layout_device.h"

#include <random>

#include <fmt/format.h>

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;
using Value = std::optional<std::uint64_t>;

namespace {

const std::string bar0 =
    R"("spaces": [{"name": "mem", "bar": 0, "size": "0x10000", "accessWidth": [8, 16, 32, 64]}])";

struct Device {
    RegisterMap map;
    TestDevice device;
    Layout layout;
    RawWords raw;
    Decoded decoded;

    Device(const std::string& rest, std::map<std::string, std::uint64_t> values, PciIdentity pci = {})
        : map(load(rest)) {
        device.values = std::move(values);
        device.pci = pci;
        layout = device.must_place(map);
        raw = read_all(map, layout, device);
        decode_again();
    }
    void decode_again() { decoded = decode(map, layout, raw, device.pci); }

    const DecodedRegister& reg(const std::string& name) const {
        return decoded.registers[instance_called(map, layout, name)];
    }
    // "FIELD=value" with enum name and bits where there is one, in order.
    std::vector<std::string> fields(const std::string& name) const {
        std::vector<std::string> out;
        const Range range = reg(name).fields;
        for (Index i = range.begin; i < range.begin + range.count; ++i) {
            const DecodedField& f = decoded.fields[i];
            if (f.field == none) {
                out.push_back(fmt::format("[{}:{}]={:#x}", f.msb, f.lsb, f.value));
                continue;
            }
            out.push_back(fmt::format("{}={}", map.text(map.fields[f.field].name), f.value));
            if (f.enum_value != none) {
                out.back() += fmt::format(" {}", map.text(map.enum_values[f.enum_value].name));
            }
            if (f.severity != Severity::unspecified) {
                out.back() += fmt::format(" !{}", static_cast<int>(f.severity));
            }
        }
        return out;
    }
    const DecodedValue& derived(const std::string& name) const {
        for (const DecodedValue& d : decoded.derived) {
            if (map.text(map.derived[d.derived].name) == name) {
                return d;
            }
        }
        FAIL(name);
        return decoded.derived.front();
    }
    const DecodedCheck& check(const std::string& name) const {
        for (const DecodedCheck& c : decoded.checks) {
            if (map.text(map.checks[c.check].name) == name) {
                return c;
            }
        }
        FAIL(name);
        return decoded.checks.front();
    }
};

using Texts = std::vector<std::string>;

} // namespace

// NVM Express 1.4, 3.1.1: CAP 0x004008200f01ffff has MQES 0xffff, CQR 1, TO 15, DSTRD 0, CSS 1 (bit 37),
// MPSMAX 4.
TEST_CASE("fields come from the highest bit down, shifted") {
    const Device d(
        bar0 + R"(, "registers": [{"name": "CAP", "offset": 0, "width": 64, "readAction": "none", "fields": [
        {"name": "MQES", "bits": "15:0"}, {"name": "CQR", "bits": "16"}, {"name": "TO", "bits": "31:24"},
        {"name": "DSTRD", "bits": "35:32"}, {"name": "CSS", "bits": "44:37"}, {"name": "MPSMAX", "bits": "55:52"}]}])",
        {{"CAP", 0x004008200f01ffff}});
    CHECK(d.fields("CAP") == Texts{"MPSMAX=4", "CSS=65", "DSTRD=0", "TO=15", "CQR=1", "MQES=65535"});
}

TEST_CASE("a field of all 64 bits has all 64 bits") {
    const Device d(bar0 + R"(, "registers": [{"name": "R", "offset": 0, "width": 64, "readAction": "none",
        "fields": [{"name": "F", "bits": "63:0"}]}])",
                   {{"R", 0xfedcba9876543211}});
    REQUIRE(d.decoded.fields.size() == 1);
    CHECK(d.decoded.fields[0].value == 0xfedcba9876543211);
}

TEST_CASE("reserved bits that are set are shown by contiguous range, others are not") {
    const std::string map =
        bar0 + R"(, "registers": [{"name": "R", "offset": 0, "readAction": "none", "fields": [
        {"name": "A", "bits": "23:16"}, {"name": "B", "bits": "4"}]}])";
    CHECK(Device(map, {{"R", 0x00420010}}).fields("R") == Texts{"A=66", "B=1"});
    CHECK(Device(map, {{"R", 0x81000023}}).fields("R") ==
          Texts{"A=0", "B=0", "[31:24]=0x81", "[15:5]=0x1", "[3:0]=0x3"});
    CHECK(Device(map, {{"R", 0x80000000}}).fields("R") == Texts{"A=0", "B=0", "[31:24]=0x80"});
}

TEST_CASE("a register without fields has no reserved bits") {
    const Device d(bar0 + R"(, "registers": [{"name": "R", "offset": 0, "readAction": "none"}])",
                   {{"R", 0xffffffff}});
    CHECK(d.fields("R").empty());
}

TEST_CASE("enums name values, with their severity; an unknown value has no name") {
    const std::string map = bar0 + R"(, "enums": {"state": {
        "0": "IDLE", "1": {"name": "RUN", "severity": "ok"}, "0x8000": {"name": "READY", "severity": "ok"},
        "0xffff": {"name": "DEAD", "severity": "critical"}}},
        "registers": [{"name": "R", "offset": 0, "readAction": "none", "fields": [
            {"name": "CODE", "bits": "15:0", "enum": "state"},
            {"name": "BAD", "bits": "16", "severity": {"0": "ok", "1": "warning"}}]},
            {"name": "W", "offset": 4, "width": 16, "readAction": "none", "enum": "state"}])";
    CHECK(Device(map, {{"R", 0x8000}}).fields("R") == Texts{"BAD=0 !1", "CODE=32768 READY !1"});
    CHECK(Device(map, {{"R", 0x1ffff}}).fields("R") == Texts{"BAD=1 !3", "CODE=65535 DEAD !4"});
    CHECK(Device(map, {{"R", 0}}).fields("R") == Texts{"BAD=0 !1", "CODE=0 IDLE"});
    CHECK(Device(map, {{"R", 2}}).fields("R") == Texts{"BAD=0 !1", "CODE=2"});
    const Device whole(map, {{"W", 0x8000}});
    REQUIRE(whole.reg("W").enum_value != none);
    CHECK(whole.map.text(whole.map.enum_values[whole.reg("W").enum_value].name) == "READY");
    CHECK(Device(map, {{"W", 0x7fff}}).reg("W").enum_value == none);
}

TEST_CASE("a word without a value gives no fields and no name, whatever its bits are") {
    Device d(
        bar0 +
            R"(, "registers": [{"name": "R", "offset": 0, "readAction": "none", "enum": {"0xffffffff": "ALL"},
        "fields": [{"name": "F", "bits": "15:0"}]}], "derived": [{"name": "d", "value": "R.F + 1"}],
        "checks": [{"name": "c", "expect": "R.F == 1", "severity": "warning", "meaning": "m"}])",
        {{"R", 0xffffffff}});
    for (int s = 0; s <= static_cast<int>(safety::WordStatus::redacted); ++s) {
        const auto status = static_cast<safety::WordStatus>(s);
        d.raw.words[0].status = status;
        d.decode_again();
        const bool value = status == safety::WordStatus::ok || status == safety::WordStatus::all_ones_alive;
        CHECK(d.fields("R").empty() != value);
        CHECK((d.reg("R").enum_value != none) == value);
        CHECK(d.reg("R").word.status == status);
        CHECK(d.derived("d").value == (value ? Value{0x10000} : Value{}));
        CHECK(d.check("c").result == (value ? CheckResult::failed : CheckResult::not_evaluated));
    }
}

TEST_CASE("alternative fields are told apart by their own register, another one, or the device") {
    const std::string map = bar0 + R"(, "registers": [
        {"name": "MODE", "offset": 0, "readAction": "none", "fields": [{"name": "NEW", "bits": "0"}]},
        {"name": "R", "offset": 4, "readAction": "none", "fields": [
            {"name": "TYPE", "bits": "31:28"},
            {"name": "A", "bits": "7:0", "when": "TYPE == 1"}, {"name": "B", "bits": "11:0", "when": "TYPE == 2"},
            {"name": "C", "bits": "19:16", "when": "MODE.NEW"}, {"name": "D", "bits": "23:20", "when": "pci.device == 5"}]}])";
    CHECK(Device(map, {{"R", 0x10000fff}, {"MODE", 1}}, {0, 5}).fields("R") ==
          Texts{"TYPE=1", "D=0", "C=0", "A=255", "[15:8]=0xf"});
    CHECK(Device(map, {{"R", 0x20330fff}, {"MODE", 0}}).fields("R") ==
          Texts{"TYPE=2", "B=4095", "[27:12]=0x330"});
    // MODE was not read: nobody knows what bits 19:16 are. They are set, so they are shown, without a name.
    CHECK(Device(map, {{"R", 0x20030fff}}).fields("R") == Texts{"TYPE=2", "B=4095", "[27:12]=0x30"});
}

TEST_CASE("conditions and derived values find elements of arrays") {
    const Device d(
        bar0 + R"(, "blocks": [{"name": "Q", "array": {"count": 3, "stride": 16, "index": "q"}, "registers": [
            {"name": "EN", "offset": 0, "readAction": "none", "fields": [{"name": "ON", "bits": "0"}]},
            {"name": "PTR", "offset": 4, "readAction": "none", "fields": [
                {"name": "HEAD", "bits": "15:0", "when": "Q[q].EN.ON"}, {"name": "ID", "bits": "19:16", "when": "q == 2"}]}]}],
        "derived": [{"name": "sum", "value": "Q[0].PTR.HEAD + Q[1].PTR.HEAD + Q[2].PTR.HEAD"},
                    {"name": "beyond", "value": "Q[pci.device].EN"}, {"name": "third", "value": "Q[Q[0].EN + 1].PTR"}])",
        {{"Q[0].EN", 1},
         {"Q[1].EN", 0},
         {"Q[2].EN", 1},
         {"Q[0].PTR", 10},
         {"Q[1].PTR", 20},
         {"Q[2].PTR", 0x5001e}},
        {0, 3});
    CHECK(d.fields("Q[0].PTR") == Texts{"HEAD=10"});
    CHECK(d.fields("Q[1].PTR") == Texts{"[31:0]=0x14"});
    CHECK(d.fields("Q[2].PTR") == Texts{"ID=5", "HEAD=30"});
    CHECK(d.derived("sum").value == 60U);
    CHECK_FALSE(d.derived("beyond").value);
    CHECK(d.derived("third").value == 0x5001e);
}

TEST_CASE("values are found whatever order the words come in") {
    Device d(bar0 + R"(, "registers": [{"name": "R", "offset": 0, "readAction": "none",
        "array": {"count": 50, "stride": 4, "index": "i"}}], "derived": [{"name": "d", "value": "R[7] * 1000 + R[49]"}])",
             {});
    std::mt19937 random(3);
    for (std::size_t i = 0; i < d.raw.words.size(); ++i) {
        d.raw.words[i] = {i + 1, 0, safety::WordStatus::ok, 0};
    }
    for (std::size_t i = d.raw.words.size(); i > 1; --i) {
        const std::size_t j = random() % i;
        std::swap(d.raw.words[i - 1], d.raw.words[j]);
        std::swap(d.raw.instances[i - 1], d.raw.instances[j]);
    }
    d.decode_again();
    CHECK(d.derived("d").value == 8050U);
    for (std::size_t i = 0; i < d.raw.words.size(); ++i) {
        REQUIRE(d.decoded.registers[i].instance == d.raw.instances[i]); // in the order of the words
    }
}

TEST_CASE("derived values: chains, enums, conditions") {
    const std::string map = bar0 + R"(, "enums": {"speed": {"1": "2.5 GT/s", "2": "5 GT/s"}},
        "registers": [{"name": "PROD", "offset": 0, "readAction": "none"}, {"name": "CONS", "offset": 4, "readAction": "none"},
                      {"name": "DEPTH", "offset": 8, "readAction": "none"}],
        "derived": [
        {"name": "percent", "value": "occupancy * 100 / DEPTH", "unit": "%"},
        {"name": "occupancy", "value": "PROD - CONS & DEPTH - 1"},
        {"name": "speed", "value": "PROD & 3", "enum": "speed"},
        {"name": "only_big", "value": "PROD", "when": "DEPTH > 1000"},
        {"name": "uses_only_big", "value": "only_big + 1"}])";
    const Device d(map, {{"PROD", 2}, {"CONS", 510}, {"DEPTH", 512}});
    CHECK(d.derived("occupancy").value == 4U);
    CHECK(d.derived("percent").value == 0U);
    CHECK(d.derived("only_big").applies == false);
    CHECK_FALSE(d.derived("only_big").value);
    CHECK_FALSE(d.derived("uses_only_big").value);
    CHECK(d.derived("uses_only_big").applies);
    REQUIRE(d.derived("speed").enum_value != none);
    CHECK(d.map.text(d.map.enum_values[d.derived("speed").enum_value].name) == "5 GT/s");
    const Device lost(map, {{"PROD", 2}, {"CONS", 510}});
    CHECK_FALSE(lost.derived("percent").value);
    CHECK_FALSE(lost.derived("only_big").value);
    CHECK(lost.derived("only_big").applies); // not known to be out of place
    const Device zero(map, {{"PROD", 2}, {"CONS", 510}, {"DEPTH", 0}});
    CHECK_FALSE(zero.derived("percent").value); // division by zero
}

TEST_CASE("checks list what they looked at") {
    const std::string map = bar0 + R"(, "registers": [
        {"name": "S", "offset": 0, "readAction": "none", "fields": [{"name": "SPEED", "bits": "3:0"}, {"name": "UP", "bits": "4"}]},
        {"name": "CAP", "offset": 4, "readAction": "none", "array": {"count": 2, "stride": 4, "index": "i"}}],
        "derived": [{"name": "best", "value": "CAP[1]"}],
        "checks": [
        {"name": "full", "expect": "S.SPEED == CAP[1] || S.SPEED == 0", "severity": "warning", "meaning": "m", "when": "S.UP"},
        {"name": "best", "expect": "best == 4", "severity": "notice", "meaning": "m"}])";
    const Device good(map, {{"S", 0x14}, {"CAP[1]", 4}});
    CHECK(good.check("full").result == CheckResult::passed);
    const Device slow(map, {{"S", 0x13}, {"CAP[1]", 4}});
    CHECK(slow.check("full").result == CheckResult::failed);
    using Shown = std::vector<std::pair<std::string, Value>>;
    CHECK(slow.check("full").inputs == Shown{{"S.UP", 1}, {"S.SPEED", 3}, {"CAP[1]", 4}});
    CHECK(slow.check("best").inputs == Shown{{"best", 4}});
    const Device down(map, {{"S", 0x03}, {"CAP[1]", 4}});
    CHECK(down.check("full").result == CheckResult::not_applicable);
    const Device blind(map, {{"S", 0x13}});
    CHECK(blind.check("full").result == CheckResult::not_evaluated);
    CHECK(blind.check("full").inputs == Shown{{"S.UP", 1}, {"S.SPEED", 3}, {"CAP[1]", {}}});
    CHECK(blind.check("best").result == CheckResult::not_evaluated);
    const Device dark(map, {{"CAP[1]", 4}});
    CHECK(dark.check("full").result == CheckResult::not_evaluated);
}

TEST_CASE("a pasted value is decoded without a device") {
    const RegisterMap map = load(bar0 + R"(, "registers": [{"name": "M", "offset": 8, "readAction": "none"},
        {"name": "R", "offset": 0, "width": 16, "readAction": "none", "fields": [
        {"name": "T", "bits": "15:12"}, {"name": "A", "bits": "3:0", "when": "T == 1"},
        {"name": "B", "bits": "3:0", "when": "M == 1"}]}])");
    std::vector<DecodedField> fields;
    decode_fields(map, map.registers[1], 0xff1003, fields); // bits above the register's width are not its own
    REQUIRE(fields.size() == 2);
    CHECK(fields[0].value == 1);
    CHECK(fields[1].value == 3);
    CHECK(map.text(map.fields[fields[1].field].name) == "A");
}

TEST_CASE("fields give back the value that they were cut from") {
    std::mt19937_64 random(11);
    for (int round = 0; round < 100; ++round) {
        constexpr unsigned widths[] = {8, 16, 32, 64};
        const unsigned width = widths[random() % 4];
        std::string fields;
        for (unsigned lsb = 0; lsb < width;) {
            const unsigned msb = std::min<unsigned>(width - 1, lsb + static_cast<unsigned>(random() % 20));
            if (random() % 3 != 0) {
                fields += fmt::format("{}{{\"name\": \"F{}\", \"bits\": \"{}:{}\"}}",
                                      fields.empty() ? "" : ",", lsb, msb, lsb);
            }
            lsb = msb + 1;
        }
        const RegisterMap map =
            load(bar0 + fmt::format(R"(, "registers": [{{"name": "R", "offset": 0, "width": {},
            "readAction": "none", "fields": [{}]}}])",
                                    width, fields));
        for (int i = 0; i < 20; ++i) {
            const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
            const std::uint64_t value = random() & mask;
            std::vector<DecodedField> decoded;
            decode_fields(map, map.registers[0], value, decoded);
            std::uint64_t back = 0;
            std::uint64_t seen = 0;
            for (const DecodedField& f : decoded) {
                const unsigned bits = f.msb - f.lsb + 1U;
                const std::uint64_t ones = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
                REQUIRE(f.value <= ones);
                REQUIRE((seen & (ones << f.lsb)) == 0);
                seen |= ones << f.lsb;
                back |= f.value << f.lsb;
            }
            if (!fields.empty()) {
                REQUIRE(back == value);
            }
        }
    }
}
