// A map's image is the map: used in place, wherever it lies, and refused where it is not whole.
#include "regmaps_loader_support.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "image_catalog.h"

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

// Bytes at an address that is a multiple of 16 but of no more.
class Placed {
  public:
    explicit Placed(std::span<const std::byte> bytes, std::size_t shift = 16)
        : memory_(bytes.size() + 64), size_(bytes.size()) {
        const auto start = reinterpret_cast<std::uintptr_t>(memory_.data());
        at_ = (32 - start % 32) % 32 + shift;
        for (std::size_t i = 0; i < bytes.size(); ++i) { // GCC 12 warns of any copy in one piece here
            memory_[at_ + i] = bytes[i];
        }
    }
    std::span<std::byte> bytes() { return std::span(memory_).subspan(at_, size_); }

  private:
    std::vector<std::byte> memory_;
    std::size_t size_;
    std::size_t at_ = 0;
};

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const std::string sample = bar_map(R"("description": "d", "match": [{"vendor": [1, 2]}],
    "enums": {"E": {"0": "ZERO", "1": {"name": "ONE", "severity": "critical"}}},
    "registers": [{"name": "A", "offset": 0, "readAction": "none", "group": ["g", "h"], "poison": [3],
        "fields": [{"name": "F", "bits": "0", "enum": "E"}, {"name": "G", "bits": "9:8", "severity": {"1": "warning"}}]}],
    "blocks": [{"name": "B", "base": "A << 4", "registers": [{"name": "C", "offset": 0, "readAction": "clear"}]}],
    "structures": [{"name": "S", "size": 4, "fields": [{"name": "T", "bits": "1:0"}], "variant": {"on": "T", "cases": {"1": "U"}}},
                   {"name": "U", "size": 4, "fields": []}],
    "derived": [{"name": "D", "value": "A.F + 1"}], "checks": [{"name": "c", "expect": "D"}],
    "logs": [{"name": "L", "space": "bar0", "base": 0, "entry": "U", "count": 2, "producer": "A"}],
    "counters": [{"name": "K", "net": "carrier_changes", "sideEffectFree": true}], "driverDumps": [{"driver": "drv"}])");

} // namespace

TEST_CASE("a map from its image says what the map says") {
    const RegisterMap map = must_load(sample);
    Placed image(image_of(map));
    const Result<RegisterMap> again = map_from_image(image.bytes());
    REQUIRE(again.has_value());
    CHECK(again->name == "test");
    CHECK(again->title == map.title);
    CHECK(again->version == map.version);
    CHECK(again->description == "d");
    CHECK(again->origin == "built in");
    CHECK(again->owner == nullptr);
    REQUIRE(again->registers.size() == 2);
    CHECK(again->text(again->registers[1].name) == "C");
    CHECK(again->registers[1].read_action == ReadAction::clear);
    CHECK(again->registers[0].groups.count == 2);
    CHECK(again->text(again->text_list[again->registers[0].groups.begin + 1]) == "h");
    CHECK(again->text(again->enum_values[again->enums[again->fields[1].enumeration].values.begin + 1].name) ==
          "ONE");
    CHECK(again->fields.size() == map.fields.size());
    CHECK(again->field_severities[0].severity == Severity::warning);
    CHECK(again->poisons[0].value == 3);
    CHECK(again->structures[0].variant_cases.count == 1);
    CHECK(again->logs[0].producer == 0);
    REQUIRE(again->counters.size() == 1);
    CHECK(again->text(again->counters[0].net) == "carrier_changes");
    CHECK(again->counters[0].side_effect_free);
    REQUIRE(again->driver_dumps.size() == 1);
    CHECK_FALSE(again->driver_dumps[0].side_effect_free);
    CHECK(again->codes.size() == map.codes.size());
    CHECK(again->match_values[1].value == 2);
    // Nothing is copied.
    CHECK(reinterpret_cast<const std::byte*>(again->registers.data()) > image.bytes().data());
    CHECK(reinterpret_cast<const std::byte*>(again->registers.data()) <
          image.bytes().data() + image.bytes().size());
#if __has_builtin(__builtin_clear_padding)
    CHECK(image_of(*again) == image_of(map));
#endif
}

TEST_CASE("the same map gives the same image") {
#if __has_builtin(__builtin_clear_padding)
    CHECK(image_of(must_load(sample)) == image_of(must_load(sample)));
#else
    WARN("this compiler cannot clear the padding of records: what lies there may differ from image to image");
#endif
}

TEST_CASE("an image that is cut off, of another build, or misplaced is refused") {
    const std::vector<std::byte> bytes = image_of(must_load(sample));
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
        Placed image({bytes.data(), size});
        CHECK_FALSE(map_from_image(image.bytes()).has_value());
    }
    Placed odd(bytes, 24); // a multiple of 8 only
    CHECK_FALSE(map_from_image(odd.bytes()).has_value());
    for (const std::size_t at : {std::size_t{0}, std::size_t{8}}) { // magic number, layout of the records
        Placed image(bytes);
        image.bytes()[at] ^= std::byte{1};
        const auto map = map_from_image(image.bytes());
        REQUIRE_FALSE(map.has_value());
        CHECK(map.error().cause == "map-image");
    }
}

TEST_CASE("no table of a damaged header reaches outside of the image") {
    const std::vector<std::byte> bytes = image_of(must_load(sample));
    // Every 64-bit word of the header behind magic, layout and size, made as large as it gets.
    std::size_t refused = 0;
    for (std::size_t at = 24; at + 8 <= 24 + 4 * 8 + 23 * 16; at += 8) {
        Placed image(bytes);
        std::memset(image.bytes().data() + at, 0xff, 8);
        const auto map = map_from_image(image.bytes());
        refused += map ? 0U : 1U;
    }
    CHECK(refused == (4 * 8 + 23 * 16) / 8);
}

TEST_CASE("a catalogue holds images, texts, names and rules") {
    const RegisterMap first = must_load(sample);
    const std::string other_text =
        R"({"formatVersion": 1, "name": "other", "title": "O", "version": "3", "sources": ["s"], "match": [{"device": 7}, {}]})";
    const RegisterMap other = must_load(other_text);
    const std::vector<BlobMap> maps = {{&first, sample, {}}, {&other, other_text, {"test", "pcie"}}};
    Placed blob(catalog_blob(maps));
    const BlobView view = view_blob(blob.bytes());
    REQUIRE(view.entries.size() == 2);
    CHECK(view.text(view.entries[0].name) == "other"); // ascending
    CHECK(view.text(view.entries[0].title) == "O");
    CHECK(view.text(view.entries[0].version) == "3");
    CHECK(view.json(view.entries[0]) == other_text);
    REQUIRE(view.entries[0].includes.count == 2);
    CHECK(view.text(view.includes[view.entries[0].includes.begin + 1]) == "pcie");
    REQUIRE(view.entries[0].rules.count == 2);
    const MatchRule& rule = view.rules[view.entries[0].rules.begin];
    CHECK(view.values[view.terms[rule.terms.begin].values.begin].value == 7);
    CHECK(map_from_image(view.image(view.entries[1]))->registers.size() == 2);
    CHECK(view_blob(blob.bytes().first(10)).entries.empty());
    blob.bytes()[0] ^= std::byte{1};
    CHECK(view_blob(blob.bytes()).entries.empty());
}

TEST_CASE("the built-in maps survive their image") {
    for (const std::string name : {"pcie", "qemu-edu"}) {
        const std::string path = std::string(BARSCOPE_SOURCE_DIR) + "/regmaps/definitions/" + name + ".json";
        const RegisterMap map = must_load(
            file_text(path),
            {{"pcie", file_text(std::string(BARSCOPE_SOURCE_DIR) + "/regmaps/definitions/pcie.json")}});
        Placed image(image_of(map));
        const auto again = map_from_image(image.bytes());
        REQUIRE(again.has_value());
        CHECK(again->registers.size() == map.registers.size());
        CHECK(image_of(*again) == image_of(map));
    }
}
