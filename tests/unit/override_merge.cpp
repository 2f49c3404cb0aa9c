// The value that a write stores. The model in the property test goes bit by bit, from the words of CMSIS-SVD
// (`modifiedWriteValues`, `access`) rather than from masks.
#include <catch2/catch.hpp>

#include <random>

#include <override/merge.h>
#include <regmaps/loader.h>

using namespace barscope;
using namespace barscope::tool;
using regmaps::ModifiedWrite;

namespace {

regmaps::RegisterMap load(const std::string& registers) {
    const std::string text =
        R"({"formatVersion": 1, "name": "t", "title": "T", "version": "1", "sources": ["none"],
            "spaces": [{"name": "m", "bar": 0, "size": 4096, "accessWidth": [8, 16, 32, 64]}],
            "registers": [)" +
        registers + "]}";
    auto map = regmaps::load_map(text, "test", [](std::string_view) -> Result<regmaps::MapText> {
        return fail({ErrorCode::bad_input, "none", "none", {}, {}});
    });
    INFO(text);
    INFO((map ? std::string() : to_string(map.error())));
    REQUIRE(map);
    return std::move(*map);
}

std::optional<bool> always(regmaps::Index) {
    return true;
}

Result<Change> write(const regmaps::RegisterMap& map, regmaps::Index field, std::uint64_t value,
                     std::optional<std::uint64_t> old) {
    const RegisterBits bits(map, map.registers[0], always, field);
    return merge(map, {0, field, "R", value}, bits, old);
}

regmaps::Index field_named(const regmaps::RegisterMap& map, std::string_view name) {
    for (regmaps::Index i = 0; i < map.fields.size(); ++i) {
        if (map.text(map.fields[i].name) == name) {
            return i;
        }
    }
    FAIL("no field " << name);
    return regmaps::none;
}

// What CMSIS-SVD says happens to a bit that holds `old` when `written` is written to it.
unsigned after_write(const std::string& modified, unsigned old, unsigned written) {
    if (modified == "oneToClear") {
        return written == 1 ? 0 : old;
    }
    if (modified == "oneToSet") {
        return written == 1 ? 1 : old;
    }
    if (modified == "oneToToggle") {
        return written == 1 ? 1 - old : old;
    }
    if (modified == "zeroToClear") {
        return written == 0 ? 0 : old;
    }
    if (modified == "zeroToSet") {
        return written == 0 ? 1 : old;
    }
    if (modified == "zeroToToggle") {
        return written == 0 ? 1 - old : old;
    }
    return written; // plain
}

const std::vector<std::string> kinds{"",          "oneToClear",  "oneToSet", "oneToToggle", "zeroToClear",
                                     "zeroToSet", "zeroToToggle"};

struct RandomField {
    unsigned msb, lsb;
    std::string kind;
    bool read_only;
};

std::string field_text(const RandomField& field, std::size_t number) {
    return R"({"name": "F)" + std::to_string(number) + R"(", "bits": ")" + std::to_string(field.msb) + ":" +
           std::to_string(field.lsb) + "\"" +
           (field.kind.empty() ? "" : R"(, "modifiedWriteValue": ")" + field.kind + "\"") +
           (field.read_only ? R"(, "access": "read-only")" : "") + "}";
}

} // namespace

TEST_CASE("each kind of bit that is not meant keeps what it holds, whatever that is") {
    for (const std::string& kind : kinds) {
        const std::string modified = kind.empty() ? "" : R"(, "modifiedWriteValue": ")" + kind + "\"";
        const auto map = load(R"({"name": "R", "offset": 0, "readAction": "none", "fields": [
            {"name": "OTHER", "bits": "4")" +
                              modified + R"(}, {"name": "MEANT", "bits": "1:0"}]})");
        for (const std::uint64_t old : {0x00U, 0x10U}) {
            INFO(kind << " " << old);
            const auto change = write(map, field_named(map, "MEANT"), 2, old);
            REQUIRE(change);
            const unsigned written = change->value >> 4 & 1;
            CHECK(after_write(kind, old >> 4 & 1, written) == (old >> 4 & 1));
            CHECK((change->value & 3) == 2);
            CHECK((change->value & ~std::uint64_t{0x13}) == 0);
        }
    }
}

TEST_CASE("random registers, fields and values against a model that goes bit by bit") {
    std::mt19937_64 random(20261201);
    unsigned refused = 0, written = 0;
    for (unsigned round = 0; round < 400; ++round) {
        const unsigned width = 8U << random() % 4;
        std::vector<RandomField> fields;
        for (unsigned bit = 0; bit < width;) {
            const auto length = static_cast<unsigned>(random() % 6 + 1);
            const unsigned end = std::min(width, bit + length);
            if (random() % 4 != 0) {
                fields.push_back({end - 1, bit, kinds[random() % kinds.size()], random() % 5 == 0});
            }
            bit = end;
        }
        if (fields.empty()) {
            continue;
        }
        std::string list;
        for (std::size_t i = fields.size(); i-- > 0;) {
            list += (list.empty() ? "" : ", ") + field_text(fields[i], i);
        }
        const auto map = load(R"({"name": "R", "offset": 0, "width": )" + std::to_string(width) +
                              R"(, "readAction": "none", "fields": [)" + list + "]}");
        const std::uint64_t all = width == 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
        const std::uint64_t old = random() & all;
        const std::size_t meant = random() % fields.size();
        const RandomField& field = fields[meant];
        const unsigned bits = field.msb - field.lsb + 1;
        const std::uint64_t value = random() & (bits == 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1);
        const auto change = write(map, field_named(map, "F" + std::to_string(meant)), value, old);
        if (field.read_only) {
            REQUIRE_FALSE(change);
            CHECK(change.error().cause == "read-only-register");
            ++refused;
            continue;
        }
        REQUIRE(change);
        ++written;
        for (unsigned bit = 0; bit < width; ++bit) {
            const unsigned is = old >> bit & 1, put = change->value >> bit & 1;
            if (bit >= field.lsb && bit <= field.msb) {
                CHECK(put == (value >> (bit - field.lsb) & 1));
                continue;
            }
            std::string kind;
            for (const RandomField& other : fields) {
                if (bit >= other.lsb && bit <= other.msb) {
                    kind = other.kind;
                }
            }
            INFO("round " << round << " bit " << bit << " " << kind);
            CHECK(after_write(kind, is, put) == is);
        }
        CHECK((change->value & ~all) == 0);
    }
    CHECK(refused > 20);
    CHECK(written > 200);
}

TEST_CASE("a field beside one that any write changes, or that cannot be kept, is refused by its name") {
    const std::vector<std::string> others{
        R"("modifiedWriteValue": "clear")",  R"("modifiedWriteValue": "set")",
        R"("modifiedWriteValue": "modify")", R"("access": "write-only")",
        R"("access": "writeOnce")",          R"("access": "read-writeOnce")"};
    for (const std::string& other : others) {
        INFO(other);
        const auto map = load(R"({"name": "R", "offset": 0, "readAction": "none", "fields": [
            {"name": "OTHER", "bits": "8", )" +
                              other + R"(}, {"name": "MEANT", "bits": "1:0"}]})");
        const auto change = write(map, field_named(map, "MEANT"), 1, 0);
        REQUIRE_FALSE(change);
        CHECK(change.error().cause == "write-changes-other");
        CHECK(change.error().code == ErrorCode::refused);
        CHECK_THAT(change.error().what, Catch::Contains("OTHER"));
        // As a whole every bit is meant.
        CHECK(write(map, regmaps::none, 0x101, 0));
    }
}

TEST_CASE("a field needs what the register holds, unless it is all of it") {
    const auto map =
        load(R"({"name": "R", "offset": 0, "readAction": "none", "fields": [{"name": "F", "bits": "7:0"}]})");
    const auto change = write(map, 0, 1, std::nullopt);
    REQUIRE_FALSE(change);
    CHECK(change.error().cause == "not-readable");
    const auto whole = load(R"({"name": "R", "offset": 0, "width": 8, "access": "write-only",
        "fields": [{"name": "F", "bits": "7:0"}]})");
    REQUIRE(write(whole, 0, 0xab, std::nullopt));
    CHECK(write(whole, 0, 0xab, std::nullopt)->value == 0xab);
}

TEST_CASE("reserved bits keep their value, in each way in which a bit can be reserved") {
    const auto fields = load(R"({"name": "R", "offset": 0, "readAction": "none", "fields": [
        {"name": "RO", "bits": "15:8", "access": "read-only"}, {"name": "RW", "bits": "7:0"}]})");
    CHECK(write(fields, regmaps::none, 0xffff1234 ^ 0xff, 0xffff1234)->value == (0xffff1234 ^ 0xff));
    for (unsigned bit = 8; bit < 32; ++bit) {
        const auto change = write(fields, regmaps::none, 0x1234 ^ std::uint64_t{1} << bit, 0x1234);
        REQUIRE_FALSE(change);
        CHECK(change.error().cause == "reserved-bits");
        CHECK_THAT(change.error().what, Catch::Contains("bits " + std::to_string(bit) + " "));
    }
    const auto mask = load(R"({"name": "R", "offset": 0, "readAction": "none", "writeMask": "0x0000ff00"})");
    CHECK(write(mask, regmaps::none, 0x00aa55cc, 0x00aa00cc));
    CHECK_FALSE(write(mask, regmaps::none, 0x00aa55cd, 0x00aa00cc));
    const auto reset = load(R"({"name": "R", "offset": 0, "access": "write-only", "resetValue": "0x80000000",
        "fields": [{"name": "F", "bits": "7:0"}]})");
    CHECK(write(reset, regmaps::none, 0x80000001, std::nullopt));
    CHECK_FALSE(write(reset, regmaps::none, 0x00000001, std::nullopt));
    const auto no_fields = load(R"({"name": "R", "offset": 0, "readAction": "none"})");
    CHECK(write(no_fields, regmaps::none, 0xffffffff, 0));
}

TEST_CASE("a value that does not fit is a usage error, at the first bit that is too many") {
    const auto map = load(R"({"name": "R", "offset": 0, "width": 16, "readAction": "none",
        "fields": [{"name": "ALL", "bits": "15:4"}, {"name": "F", "bits": "3:1"}, {"name": "B", "bits": "0"}]})");
    CHECK(write(map, field_named(map, "F"), 7, 0));
    CHECK(write(map, field_named(map, "B"), 1, 0));
    for (const auto& [field, value] : std::vector<std::pair<regmaps::Index, std::uint64_t>>{
             {field_named(map, "F"), 8}, {field_named(map, "B"), 2}, {regmaps::none, 0x10000}}) {
        const auto change = write(map, field, value, 0);
        REQUIRE_FALSE(change);
        CHECK(change.error().cause == "value-too-wide");
        CHECK(change.error().code == ErrorCode::usage);
    }
}

TEST_CASE("what would undo a write") {
    const auto map = load(R"({"name": "R", "offset": 0, "readAction": "none", "fields": [
        {"name": "ERR", "bits": "8", "modifiedWriteValue": "oneToClear"},
        {"name": "LATCH", "bits": "9", "modifiedWriteValue": "clear"}, {"name": "F", "bits": "7:4"}]})");
    const auto plain = load(R"({"name": "R", "offset": 0, "readAction": "none", "fields": [
        {"name": "ERR", "bits": "8", "modifiedWriteValue": "oneToClear"}, {"name": "F", "bits": "7:4"}]})");
    SECTION("a field: its old value") {
        const auto change = write(plain, field_named(plain, "F"), 3, 0x1a0);
        REQUIRE(change);
        CHECK(change->undo.value == 0xa);
        CHECK(change->undo.why.empty());
    }
    SECTION("a register: its old value without what it would do anew") {
        const auto change = write(plain, regmaps::none, 0x030, 0x1a0);
        CHECK(change->undo.value == 0x0a0);
    }
    SECTION("what was cleared stays cleared, and that is said") {
        const auto change = write(plain, regmaps::none, 0x130, 0x1a0);
        CHECK(change->undo.value == 0x0a0);
        CHECK_THAT(change->undo.why, Catch::Contains("ERR"));
    }
    SECTION("nothing brings a cleared bit back") {
        const auto change = write(plain, field_named(plain, "ERR"), 1, 0x100);
        CHECK_FALSE(change->undo.value);
        CHECK_THAT(change->undo.why, Catch::Contains("ERR"));
    }
    SECTION("nothing brings back what any write changes") {
        const auto change = write(map, regmaps::none, 0, 0x200);
        CHECK_FALSE(change->undo.value);
        CHECK_THAT(change->undo.why, Catch::Contains("LATCH"));
    }
    SECTION("nothing where the old value was not read") {
        const auto only = load(R"({"name": "R", "offset": 0, "access": "write-only"})");
        CHECK_FALSE(write(only, regmaps::none, 1, std::nullopt)->undo.value);
    }
}

TEST_CASE("what must read back as written is what the map calls configuration, and nothing that acts") {
    const auto map = load(R"({"name": "R", "offset": 0, "readAction": "none", "fields": [
        {"name": "COUNT", "bits": "31:24", "volatility": "counter"},
        {"name": "STATUS", "bits": "23:16"},
        {"name": "ERR", "bits": "8", "modifiedWriteValue": "oneToClear", "volatility": "config"},
        {"name": "CONFIG", "bits": "3:0", "volatility": "config"}]})");
    const auto change = write(map, field_named(map, "CONFIG"), 3, 0);
    CHECK(change->kept == 0x0f);
    CHECK(change->compared == 0x00ff000f);
}
